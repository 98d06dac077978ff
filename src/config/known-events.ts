/** Events that a role's trigger may name. */
export const KNOWN_EVENTS = ["issues.opened", "issues.labeled", "task.ready_for_review"] as const;
