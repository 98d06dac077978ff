import { FOUND } from "./found-disagreements.ts";

/** Where the source documents disagree, with themselves, with each other or with what holds here. */
interface Disagreement {
  readonly question: string;
  /** What holds here. */
  readonly ruling: string;
  /** The documents whose suites name it. */
  readonly documents: readonly DocumentNumber[];
}

export type DocumentNumber = "000" | "001" | "002" | "003" | "004";

/** The rows by a short name; each suite shows the ruling of every row that names its document. */
export const DISAGREEMENTS = {
  completed_is_final_yet_starts: {
    question: "'completed' is final, yet accepts START",
    ruling:
      "the Run is final, so that people read how it ended; new work is a new attempt, whose Agent has a Run of its own",
    documents: ["000"],
  },
  unrecoverable_error: {
    question: "an unrecoverable error goes to `error`, or to `idle`",
    ruling:
      "to `failed`, which the Run of a FAILED agent keeps, so that people read what went wrong; it is RESET to `idle` only when an ESCALATED agent continues; `error` is for recoverable ones, after which the same work continues",
    documents: ["000"],
  },
  turn_limit: {
    question: "at the turn limit: an error result, or pause",
    ruling: "pause for a decision; COMPLETE there by a person's word",
    documents: ["000"],
  },
  resume_without_memory: {
    question: "RESUME without a remembered state falls back to idle",
    ruling:
      "refused: `nothing_to_resume`, because `idle` means a start from the beginning, and nobody asked for one",
    documents: ["002"],
  },
  failure_from_any_state: {
    question: "STEP_FAILED or TIMEOUT from any state; ERROR while paused",
    ruling:
      "only where it can happen: ERROR while it works, STEP_FAILED in every live state but `waiting_input`, TIMEOUT in every live state, MAX_ITERATIONS at a wake that counts; all are refused while paused",
    documents: ["000", "002"],
  },
  exception_fails_or_escalates: {
    question: "exception: FAILED, or ESCALATED",
    ruling:
      "retryable → SLEEPING (retry); not retryable → FAILED; ESCALATED is asked for, or the end of a limit that needs a person",
    documents: ["004"],
  },
  coder_awaiting_review: {
    question: "COMPLETED and SLEEPING for a coder whose PR awaits review",
    ruling:
      "`request_review` sleeps; `report_complete` completes, and is sent back while policy wants a review",
    documents: ["001", "004"],
  },
  any_to_merged: {
    question: "'Any → MERGED' against 'only from APPROVED'",
    ruling: "agents only from APPROVED; a person's merge is observed from any",
    documents: ["001", "002"],
  },
  role_complete: {
    question: "role complete (exit 0) stops or restarts; coder polls each 30 s for DRAFT",
    ruling:
      "stops, because an agent belongs to one issue and looks for no next task: events start the agents of other issues; FINALIZE starts at once, the reconciler polls; a planner ends after its report, while its parts may still be drafts",
    documents: ["001"],
  },
  beyond_the_sources: {
    question: "moves beyond the sources",
    ruling:
      "evaluating → waiting_input (002); CLAIMED, READY_FOR_REVIEW, REJECTED, APPROVED and INTEGRATION_FAILED → UNCLAIMED when the coder gives the work up, fails, is cancelled or its pull request is closed (CLAIMED to INTEGRATION_FAILED while it fixes a failed merge), READY_FOR_REVIEW ↔ APPROVED on a new commit, READY_FOR_REVIEW → REJECTED by checks, APPROVED → REJECTED by a person, REJECTED → BLOCKED, any → ABANDONED by a person (001); CREATED, SLEEPING and ESCALATED → COMPLETED, SLEEPING → ESCALATED, ESCALATED → ACTIVE and what leads to CANCELLED (004)",
    documents: ["001", "002"],
  },
  breaker_and_sprint: {
    question: "circuit breaker aborts the sprint",
    ruling:
      "it checkpoints the sprint: a person decides whether it continues, because an abort cancels its agents for good",
    documents: ["001"],
  },
  crash_delay: {
    question: "after a crash: restart with backoff, or after a fixed 5 s (001)",
    ruling:
      "both: 5 s after the first crash, because most faults pass quickly; twice as long after each further one, because each restart costs turns",
    documents: ["001"],
  },
  limits_by_agent_type: {
    question: "limits by agent type; options of one execution (000)",
    ruling:
      "limits are by role, because the operator decides how much the work of each role may cost. The `turns=`, `model=`, `tools=` and `temperature=` of a start are that attempt's own: `tools=` only narrows its role's, and those of its tools that plan, commit, open the pull request, hand over or end the work stay, because without them the work could not end; `model=` takes the role's model or one of `runtime.models`, which is empty by default; `temperature=` needs `runtime.provider`, because only those requests pass the host",
    documents: ["000"],
  },
  completed_leaves_registry: {
    question: "COMPLETED leaves the registry (004)",
    ruling:
      "the record stays until `retention` removes its issue, so that people read how it ended, and the next attempt counts on from it",
    documents: ["004"],
  },
  numeric_state_codes: {
    question: "numeric state codes (003)",
    ruling: "not used: people read the names in the database, the API and the logs",
    documents: ["003"],
  },
  ...FOUND,
} as const satisfies Readonly<Record<string, Disagreement>>;

export type Row = keyof typeof DISAGREEMENTS;

/** The rows that a document's suite has to show, sorted by name. */
export function rowsOf(document: DocumentNumber): readonly Row[] {
  const names: readonly Row[] = Object.keys(DISAGREEMENTS).filter(isRow);
  return names
    .filter((name) => (DISAGREEMENTS[name].documents as readonly DocumentNumber[]).includes(document))
    .toSorted();
}

function isRow(name: string): name is Row {
  return Object.hasOwn(DISAGREEMENTS, name);
}
