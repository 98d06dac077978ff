import { expect, it } from "vitest";
import { eachOnce } from "../../../src/domain/pictures/shown-picture.ts";

const shown = (asset: string, number: number) =>
  ({ asset, alternative: "", place: { kind: "issue", number }, hash: "a" }) as const;

it("a picture that was shown twice is told once, where it was shown first", () => {
  expect(eachOnce([shown("a", 1), shown("b", 1), shown("a", 2), shown("c", 2)])).toEqual([
    shown("a", 1),
    shown("b", 1),
    shown("c", 2),
  ]);
});
