/** Where the source documents disagree, with themselves, with each other or with what holds here. */
interface Disagreement {
  readonly question: string;
  /** What holds here. */
  readonly ruling: string;
  /** The documents whose suites name it. */
  readonly documents: readonly DocumentNumber[];
  /** Met by a suite, and not among those that the design lists. */
  readonly found?: true;
}

export type DocumentNumber = "000" | "001" | "002" | "003" | "004";

/** The rows by a short name; each suite shows the ruling of every row that names its document. */
export const DISAGREEMENTS = {
  completed_is_final_yet_starts: {
    question: "'completed' is final, yet accepts START",
    ruling: "the Run is final; new work is a new attempt, whose Agent has a Run of its own",
    documents: ["000"],
  },
  unrecoverable_error: {
    question: "an unrecoverable error goes to `error`, or to `idle`",
    ruling:
      "to `failed`, which the Run of a FAILED agent keeps; it is RESET to `idle` only when an ESCALATED agent goes on; `error` is for recoverable ones",
    documents: ["000"],
  },
  turn_limit: {
    question: "at the turn limit: an error result, or pause",
    ruling: "pause for a decision; COMPLETE there by a person's word",
    documents: ["000"],
  },
  resume_without_memory: {
    question: "RESUME without a remembered state falls back to idle",
    ruling: "refused: `nothing_to_resume`",
    documents: ["002"],
  },
  failure_from_any_state: {
    question: "STEP_FAILED or TIMEOUT from any state; ERROR while paused",
    ruling:
      "only where it can happen: ERROR while it works, STEP_FAILED where no person is asked yet, TIMEOUT in every live state, MAX_ITERATIONS at a wake that counts; all are refused while paused",
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
  wake_limit: {
    question: "wake limit reached",
    ruling: "ESCALATED",
    documents: ["004"],
  },
  role_complete: {
    question: "role complete (exit 0) stops or restarts; coder polls each 30 s for DRAFT",
    ruling:
      "stops; FINALIZE starts at once, the reconciler polls; a planner ends after its report, while its parts may still be drafts",
    documents: ["001"],
  },
  beyond_the_sources: {
    question: "moves beyond the sources",
    ruling:
      "evaluating → waiting_input (002); CLAIMED → UNCLAIMED (to INTEGRATION_FAILED while it mends a failed merge), READY_FOR_REVIEW ↔ APPROVED on a new commit, READY_FOR_REVIEW → REJECTED by checks, REJECTED → BLOCKED, any → ABANDONED by a person (001)",
    documents: ["001", "002"],
  },
  breaker_and_sprint: {
    question: "circuit breaker aborts the sprint",
    ruling: "it checkpoints the sprint",
    documents: ["001"],
  },
  crash_delay: {
    question: "fixed 5 s crash delay",
    ruling: "doubling",
    documents: ["001"],
  },
  limits_by_agent_type: {
    question: "limits by agent type, temperature (000)",
    ruling: "by role; the runtime takes no temperature",
    documents: ["000"],
  },
  completed_leaves_registry: {
    question: "COMPLETED leaves the registry (004)",
    ruling: "the record stays",
    documents: ["004"],
  },
  numeric_state_codes: {
    question: "numeric state codes (003)",
    ruling: "not used",
    documents: ["003"],
  },
  end_is_kept: {
    question: "the clean-up after a success or an abort leads back to `idle` (000, 002)",
    ruling:
      "the clean-up is the same, and `succeeded`, `cancelled` and the `failed` of a FAILED agent stay, so that people read how it ended; no later work needs the old Run",
    documents: ["000", "002"],
    found: true,
  },
  abort_while_starting: {
    question: "ABORT while starting: in the matrix and the configuration, not in the table (000)",
    ruling: "taken: CANCEL holds in every live state",
    documents: ["000"],
    found: true,
  },
  pause_while_starting: {
    question: "PAUSE while starting: invalid (000), or taken (002)",
    ruling: "taken from initializing on; RESUME goes back there",
    documents: ["000", "002"],
    found: true,
  },
  paused_holds_resources: {
    question: "paused and error keep their resources (000), or give up the process (004)",
    ruling: "slot and process are freed; worktree, branch and conversation are kept",
    documents: ["000", "004"],
    found: true,
  },
  rescope_leads: {
    question: "rescope leads to UNCLAIMED (table) or to SUPERSEDED (diagram of 001)",
    ruling: "RESCOPE to UNCLAIMED, SUPERSEDE to SUPERSEDED",
    documents: ["001"],
    found: true,
  },
  blocked_keeps_worktree: {
    question: "BLOCKED → UNCLAIMED deletes the worktree (001)",
    ruling:
      "it is deleted when a person starts a new attempt; a coder that a person lets go on after a review deadlock or a need for replanning keeps its worktree (one that had completed gets a worktree on its branch), because the person asks for a change of this work",
    documents: ["001"],
    found: true,
  },
  handoff_from: {
    question: "context exhaustion leads to HANDOFF from WORKING (table) or from WAITING (diagram of 001)",
    ruling: "only while ACTIVE: the context of a sleeper does not fill",
    documents: ["001"],
    found: true,
  },
  reviewer_waits: {
    question: "WAITING is a state of coders only (001)",
    ruling: "any agent may sleep for a retry, a limit, a restart or a pause, and ask a person",
    documents: ["001"],
    found: true,
  },
  agent_without_task: {
    question: "an agent is registered first and idle until it has a task (001)",
    ruling: "it is made for its issue (CREATED), and ended when the work is over",
    documents: ["001"],
    found: true,
  },
  states_against_matrix: {
    question: "the table of states names fewer moves than the matrix (002)",
    ruling: "the matrix",
    documents: ["002"],
    found: true,
  },
  diagram_without_stopped: {
    question: "the diagram has no way to `stopped` but from `stopping` and `failed`, the table has (003)",
    ruling:
      "the diagram: a process that ends without a stop makes it `failed`, and `stopped` at the clean-up",
    documents: ["003"],
    found: true,
  },
  approval_from_rest: {
    question: "`starting` and `idle` may become `waiting_approval` (003)",
    ruling: "only `running` may, and `paused` when it is let go: only a model at work asks for something",
    documents: ["003"],
    found: true,
  },
  pause_of_a_start: {
    question: "`starting` may not become `paused` (003)",
    ruling: "it may: a person can pause an agent whose process is still being started",
    documents: ["003"],
    found: true,
  },
  state_told_again: {
    question: "a state that is told again is taken and changes nothing (003)",
    ruling:
      "a repeated report is accepted and dropped without a transition; only `idle` has a transition to itself, for a new reason to rest",
    documents: ["003"],
    found: true,
  },
  node_is_local: {
    question: "`node` names the machine that an agent runs on (003)",
    ruling: "all agents run on one machine: `node` is always `local`",
    documents: ["003"],
    found: true,
  },
  live_without_conversation: {
    question: "send and kill are refused in `unspecified`, `stopped` and `failed` (003)",
    ruling:
      "refused once its agent has ended; an agent that lives begins the conversation by itself: a message waits for that, and a kill cancels it",
    documents: ["003"],
    found: true,
  },
  ttl_expiry: {
    question: "an expired time to live ends as `failed`, or as `stopped` (003)",
    ruling: "as `stopped`, reason `ttl_expired`",
    documents: ["003"],
    found: true,
  },
  hashed_session_id: {
    question: "the session id is the agent's id with a prefix (004)",
    ruling:
      "it is a hash of repository and agent, and the number of the conversation, because the runtime merges conversations with equal ids",
    documents: ["004"],
    found: true,
  },
  picture_as_chain: {
    question: "the picture draws COMPLETED → FAILED → ESCALATED, the text has each from ACTIVE (004)",
    ruling: "the text",
    documents: ["004"],
    found: true,
  },
  task_by_number: {
    question: "a task is named by a cuid (000)",
    ruling: "by its repository and issue number, which people know from GitHub",
    documents: ["000"],
    found: true,
  },
  call_pending: {
    question: "a tool call is `pending` before it is `running` (000)",
    ruling: "`running` stands for both: its row is written before it runs",
    documents: ["000"],
    found: true,
  },
  options_of_role: {
    question: "one execution has its own limit of turns, tools and model (000)",
    ruling: "options of one execution are the role's; a person grants turns beyond its limit",
    documents: ["000"],
    found: true,
  },
  host_environment: {
    question: "an execution loads the environment of its worktree (000)",
    ruling:
      "an agent has a fixed environment of our own; of the host's it gets PATH, locale, time zone and certificates, nothing else",
    documents: ["000"],
    found: true,
  },
  totals_of_agent: {
    question: "an agent counts its tasks, all and completed (000)",
    ruling: "an agent has one task; the ledger counts runs and finished tasks by role",
    documents: ["000"],
    found: true,
  },
  retry_from_any_state: {
    question: "a person can retry from any state (002)",
    ruling: "retry is for errors and ends; what works or waits has resume, cancel and answer",
    documents: ["002"],
    found: true,
  },
  pushed_states: {
    question: "clients poll for the state (002)",
    ruling: "each change is pushed as an event; the API answers the state too",
    documents: ["002"],
    found: true,
  },
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
