import { describe, expect, it } from "vitest";
import type { NamedSuite } from "../duplicate-names.ts";

/** A heading of a source document: shown by these parts of its suite, or why it concerns nothing here. */
export type Heading = readonly [
  title: string,
  shown: { readonly by: readonly string[] } | { readonly because: string },
];

/** Shorter than this is no reason. */
const SHORTEST_REASON = 20;

/** Ends a suite: every heading of the document is covered by parts of the suite that exist, or explained. */
export function headingsCovered(headings: readonly Heading[]): void {
  describe("the headings of the document", () => {
    it("are each covered by parts of this suite, or explained", ({ task }) => {
      expect(headings.length).toBeGreaterThan(0);
      expect(headingFaults(headings, task.file)).toEqual([]);
    });
  });
}

/** Headings told twice, without cover or reason, or that name a part that the suite does not have. */
export function headingFaults(headings: readonly Heading[], suite: NamedSuite): readonly string[] {
  const parts = partsOf(suite);
  const titles = headings.map(([title]) => title);
  return headings.flatMap(([title, shown], index) => [
    ...(titles.indexOf(title) < index ? [`${title}: is told twice`] : []),
    ...("because" in shown
      ? shown.because.length < SHORTEST_REASON
        ? [`${title}: has no reason`]
        : []
      : shown.by.length === 0
        ? [`${title}: is not covered`]
        : shown.by.filter((part) => !parts.has(part)).map((part) => `${title}: there is no part ${part}`)),
  ]);
}

/** The names of the suites of a file, at any depth, that have at least one test. */
function partsOf(suite: NamedSuite): ReadonlySet<string> {
  return new Set(
    suite.tasks.flatMap((task) =>
      task.type === "suite" && task.tasks.length > 0 ? [task.name, ...partsOf(task)] : [],
    ),
  );
}
