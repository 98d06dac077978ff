import { describe, expect, it } from "vitest";
import { expectTold, type Situation } from "./situation.ts";
import { expectButtons, expectWaysOn } from "./ways.ts";

/** Situations by what they are situations of, and by how it comes to them. */
export type Table = Readonly<Record<string, Readonly<Record<string, Situation>>>>;

/** Asks in every situation of the table whether all places say the same. `of` = all that must have one. */
export function tells(what: string, of: readonly string[], table: Table): void {
  it(`has a situation for every ${what}`, () => {
    expect(Object.keys(table).toSorted()).toEqual(of.toSorted());
    expect(of.filter((one) => Object.keys(table[one] ?? {}).length === 0)).toEqual([]);
  });

  describe.each(situationsOf(table))(`${what} %s`, (_, situation) => {
    it("is told alike in all places", () => expect(expectTold(situation)).resolves.toBeUndefined());
  });
}

/** Tries in every situation of the table what people are advised to do there. */
export function advises(what: string, table: Table): void {
  describe.each(situationsOf(table))(`${what} %s`, (_, situation) => {
    it("has only ways on that work", () => expect(expectWaysOn(situation)).resolves.toBeUndefined());
    it("has only buttons that work", () => expect(expectButtons(situation)).resolves.toBeUndefined());
  });
}

function situationsOf(table: Table) {
  return Object.entries(table).flatMap(([one, ways]) =>
    Object.entries(ways).map(([how, situation]) => [`${one}: ${how}`, situation] as const),
  );
}
