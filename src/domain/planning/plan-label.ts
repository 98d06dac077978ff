/** The label by which a person asks for a plan before any change. GitHub takes labels that differ in case alone for one. */
export function isPlanLabel(label: string): boolean {
  return label.toLowerCase() === "plan";
}
