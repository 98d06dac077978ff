import type { Word } from "./words.ts";

/** The words of documents 002, 003 and 004 and ours for them. */
export const WORDS_002: readonly Word[] = [
  [
    "agent state",
    "state of a Run",
    "all twelve have the same names; `waiting_approval` and `error` come from 000",
  ],
  ["transition event", "event of a Run", "all fifteen have the same names"],
  [
    "(no event): executing to waiting_input, waiting_agent",
    "INPUT_NEEDED, AGENT_NEEDED",
    "INPUT_NEEDED also from evaluating",
  ],
  ["(no event): evaluating to executing", "NEXT_STEP", ""],
  [
    "cleanup: an end state to idle",
    "RESET",
    "of a failed Run that a person lets continue; other ends are kept",
  ],
  ["paused_from_state", "run.remembered", "RESUME without it is refused: `nothing_to_resume`"],
  [
    "plan_id, new_plan_id",
    "`planId` in the evidence of the transition",
    "a digest of the plan's text, so that equal plans have equal ids; the text is kept with the Run; an attempt that submits no plan has none",
  ],
  [
    "state history",
    "rows of `transition`",
    "all, not the last 50, until `retention` removes those of issues that are done",
  ],
  ["state change event", "row of `run_event`", "for every change, not for four states only"],
  ["agent name", "role", "roles are configuration"],
  ["blocked", "waiting_*, paused", ""],
];

export const WORDS_003: readonly Word[] = [
  ["agent", "Session", "its record's fields are the Agent's; it is one conversation with the runtime"],
  ["state", "state of a Session", "all nine have the same names; numeric codes are not used"],
  [
    "revive",
    "START of a Session; REVIVE of an Agent",
    "for people a revive is a new attempt, after an agent that is ESCALATED, FAILED or CANCELLED",
  ],
  [
    "self-transition",
    "(none)",
    "a repeated report is taken and changes nothing; `idle` follows itself for a new reason to rest",
  ],
  ["send_message", "send", "to a sleeper a wake"],
  ["interrupt_agent", "interrupt", "ends the exchange, keeps the conversation"],
  ["kill_agent", "kill", "CANCEL of the Agent"],
  ["revive_agent", "revive", "REVIVE of the Agent"],
  ["harness", "runtime", ""],
  ["workspace", "worktree", ""],
  ["one-shot", "one_shot", ""],
  ["timeout_waiting_idle", "wait_timeout", "any state can be waited for"],
  [
    "policy_denied (mode or capability)",
    "capability_mismatch",
    "`policy_denied` is about the policy of configuration",
  ],
];

export const WORDS_004: readonly Word[] = [
  ["agent status", "state of an Agent", "all six have the same names; CANCELLED is ours"],
  [
    "report_blocked",
    "BLOCKED",
    "WAIT for what is no issue, PAUSE by others; with cause `replanning` ESCALATE, because its task must change before it can continue",
  ],
  ["wake_agent", "WAKE", "after ESCALATED it is RESUME"],
  ["report_complete", "COMPLETE", "only with its evidence"],
  ["escalate_to_human", "ESCALATE", "limits that need a person lead there too"],
  ["unhandled exception or timeout", "FAIL", "an error that passes is WAIT retry"],
  ["agent id", "key", "`owner/name:role-issue-number`"],
  ["registry", "table `agent`", "ended agents stay in it until `retention` removes their issue"],
  ["stateful", "persistent", ""],
  ["circuit breaker", "limit", "the same four keys and defaults, and more"],
];
