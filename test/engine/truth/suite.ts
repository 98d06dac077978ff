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
  return listed(Object.keys(table), table).map(
    ([one, how, situation]) => [`${one}: ${how}`, situation] as const,
  );
}

/** Lists the situations of these rows of a table: of what each is one, how it comes to it, and the situation. */
export function listed<K extends string, S>(
  rows: readonly K[],
  table: Readonly<Record<K, Readonly<Record<string, S>>>>,
) {
  return rows.flatMap((row) =>
    Object.entries<S>(table[row]).map(([how, situation]) => [row, how, situation] as const),
  );
}
