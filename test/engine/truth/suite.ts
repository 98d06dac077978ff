import { describe, expect, it } from "vitest";
import { expectTold, type Situation } from "./situation.ts";
import { expectButtons, expectWaysOn } from "./ways.ts";

/** Situations by what they are situations of, and by how it comes to them. */
export type Table = Readonly<Record<string, Readonly<Record<string, Situation>>>>;

/** Tells every situation of the table, and tries what is advised there. `of` = all that must have one. */
export function tells(what: string, of: readonly string[], table: Table): void {
  it(`has a situation for every ${what}`, () => {
    expect(Object.keys(table).toSorted()).toEqual(of.toSorted());
    expect(of.filter((one) => Object.keys(table[one] ?? {}).length === 0)).toEqual([]);
  });

  const all = of.flatMap((one) =>
    Object.entries(table[one] ?? {}).map(([how, situation]) => [`${one}: ${how}`, situation] as const),
  );
  describe.each(all)(`${what} %s`, (_, situation) => {
    it("is told alike in all places", () => expect(expectTold(situation)).resolves.toBeUndefined());
    it("has only ways on that work", () => expect(expectWaysOn(situation)).resolves.toBeUndefined());
    it("has only buttons that work", () => expect(expectButtons(situation)).resolves.toBeUndefined());
  });
}
