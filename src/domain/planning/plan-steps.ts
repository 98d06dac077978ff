const ITEM = /^ {0,2}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** How many steps a plan has: the items of its outermost lists in Markdown, and one where it has no list. */
export function planSteps(plan: string): number {
  return Math.max(1, plan.split("\n").filter((line) => ITEM.test(line)).length);
}
