import { expect, it } from "vitest";
import { repeatUntilStable } from "../../../src/domain/safe-text/repeat-until-stable.ts";

it("is done until nothing changes", () => {
  expect(repeatUntilStable("((((a))))", (text) => text.replace(/^\((.*)\)$/, "$1"))).toBe("a");
});

it("leaves only words where it never comes to rest", () => {
  expect(repeatUntilStable("@a <é1>\n#", (text) => `${text}!`)).toBe(` a  é1 \n ${" ".repeat(8)}`);
});
