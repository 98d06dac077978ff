/** The label that keeps an issue's task a draft, so that no agent starts on it. */
const DRAFT_LABEL = "draft";

/** Ignores case: GitHub treats labels that differ only in case as one. */
export function isDraftLabel(label: string): boolean {
  return label.toLowerCase() === DRAFT_LABEL;
}

export function isDraft(labels: readonly string[]): boolean {
  return labels.some(isDraftLabel);
}
