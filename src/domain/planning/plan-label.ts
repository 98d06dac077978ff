/**
 * Returns true for the label by which a person asks for a plan before any change. GitHub treats labels that differ only
 * in case as one.
 */
export function isPlanLabel(label: string): boolean {
  return label.toLowerCase() === "plan";
}
