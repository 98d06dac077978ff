/** The label that keeps an issue's task a draft, so that no agent starts on it. */
const DRAFT_LABEL = "draft";

/** GitHub takes labels that differ in case alone for one. */
export function isDraftLabel(label: string): boolean {
  return label.toLowerCase() === DRAFT_LABEL;
}

export function isDraft(labels: readonly string[]): boolean {
  return labels.some(isDraftLabel);
}
