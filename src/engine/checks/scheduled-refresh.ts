const START = "review-checks-poll:";

/** Returns the key of the scheduled refresh of a task's checks, one per `reconcile_every`. */
export function scheduledRefresh(task: number, slice: number): string {
  return `${START}${task}:${slice}`;
}

export function isScheduledRefresh(key: string): boolean {
  return key.startsWith(START);
}
