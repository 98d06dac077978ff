import { expect, it } from "vitest";
import { settled } from "../../../src/domain/safe-text/settled.ts";

it("is done until nothing changes", () => {
  expect(settled("((((a))))", (text) => text.replace(/^\((.*)\)$/, "$1"))).toBe("a");
});

it("leaves only words where it never comes to rest", () => {
  expect(settled("@a <é1>\n#", (text) => `${text}!`)).toBe(` a  é1 \n ${" ".repeat(8)}`);
});
