const ITEM = /^ {0,2}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** Counts the steps of a plan: the items of its outermost Markdown lists, or one where it has no list. */
export function planSteps(plan: string): number {
  return Math.max(1, plan.split("\n").filter((line) => ITEM.test(line)).length);
}
