/** A transition of one of the agent's state machines. */
export interface Move {
  readonly id: number;
  readonly at: string;
  readonly machine: string;
  readonly actor: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
}

/** What each move of the agent means, as the rest of a sentence. A move that is not here is told by its event's name. */
const AGENT = new Map(
  Object.entries({
    CREATE: "Created",
    REVIVE: "Created as a new attempt",
    REOPEN: "Created again, because the issue was reopened",
    START: "Started work",
    BLOCKED: "Stopped to wait for another issue",
    WAIT: "Stopped to wait",
    WAKE: "Continued",
    HANDOFF: "Continued in a new conversation",
    ESCALATE: "Asked for a person",
    EXPIRE: "Waited too long, and asked for a person",
    COMPLETE: "Completed its work",
    FAIL: "Failed",
    CANCEL: "Cancelled",
    PAUSE: "Paused",
    RESUME: "Continued",
  }),
);

/** What each move of the work means. */
const WORK = new Map(
  Object.entries({
    OPEN: "The issue's work was opened",
    CLAIM: "Took the issue's work",
    RECLAIM: "Took the work again, to make the requested changes",
    CLAIM_FIX: "Took the work again, to fix its merge",
    REQUEST_REVIEW: "Asked for a review",
    NEW_COMMIT: "Put a new commit under review",
    APPROVE: "A review approved the work",
    REJECT: "A review asked for changes",
    MERGE: "The work was merged",
    BLOCK: "The work was stopped for a person",
    RELEASE: "Gave the work up",
    REASSIGN: "Another attempt took the work, to make the requested changes",
    CHECKS_FAIL: "A check of the work failed",
    INTEGRATION_FAIL: "The work could not be merged",
    FINALIZE: "The work was released for agents",
    RETARGET: "The work got another base branch",
    RESCOPE: "The work was planned anew",
    SUPERSEDE: "Another issue took its place",
    ABANDON: "The work was given up",
    OBSERVED_MERGED: "A person merged the work",
    OBSERVED_CLOSED: "The work was closed",
  }),
);

/** What the reasons of wakes mean, which are stored as single words. */
const REASONS = new Map(
  Object.entries({
    blocker: "what it waited for is done",
    review: "a review came",
    answer: "a person answered",
    approval: "a person decided",
    checks: "the checks are done",
    limit_reset: "the provider's limit has passed",
    retry: "it tries again",
    restart: "Flotilla restarted",
    time: "its time came",
    message: "a message came",
    base_moved: "the base branch moved",
    resumed: "a person resumed it",
  }),
);

/** Returns the reason of a move for people: `blocker: #33 was closed` → `#33 was closed`. */
export function reasonWords(reason: string): string {
  const [, word = "", more = ""] = /^(\w+)(?:: (.+))?$/s.exec(reason) ?? [];
  const known = REASONS.get(word);
  if (known === undefined) return reason;
  return more === "" ? known : more;
}

/** The agent's states as steps of a path. */
const STEPS = new Map(
  Object.entries({
    CREATED: "created",
    ACTIVE: "working",
    SLEEPING: "waiting",
    ESCALATED: "needs a person",
    COMPLETED: "done",
    FAILED: "failed",
    CANCELLED: "cancelled",
  }),
);

/** Returns a state of the agent in a word. */
export function stepWord(state: string): string {
  return STEPS.get(state) ?? state.toLowerCase();
}

/** Names of Flotilla itself, which need not be told as the cause of a move. */
const OURS = ["flotilla", "agent"];

/** Says a move in a sentence without its stop; null for a move of a machine that people need not know. */
export function moveSentence({ machine, event, actor, to, from }: Move): string | null {
  if (machine !== "agent" && machine !== "task") return null;
  // An approval that is not the last one changes nothing.
  if (machine === "task" && event === "APPROVE" && from === to) return null;
  const words = (machine === "agent" ? AGENT : WORK).get(event) ?? fallback(machine, event);
  const by = OURS.includes(actor.replace(/\[bot\]$/, ""))
    ? ""
    : ` by ${actor.replace(/^operator:/, "the operator ")}`;
  return `${words}${by}`;
}

function fallback(machine: string, event: string): string {
  return `${machine === "agent" ? "Agent" : "Work"}: ${event.toLowerCase().replaceAll("_", " ")}`;
}
