const START = "review-checks-poll:";

/** The key of the look at a task's checks that comes once each `reconcile_every`. */
export function scheduledRefresh(task: number, slice: number): string {
  return `${START}${task}:${slice}`;
}

export function isScheduledRefresh(key: string): boolean {
  return key.startsWith(START);
}
