import type { Word } from "../words.ts";
import { AGENT_STATES } from "./agents.ts";
import { MOVES, TASK_STATES } from "./task-moves.ts";

const NOTES: Readonly<Record<keyof typeof AGENT_STATES, string>> = {
  STARTING: "an agent is made for its issue and waits for its start",
  IDLE: "no agent is without an issue: before it starts it is CREATED, after its work it has ended",
  WORKING: "a coder",
  REVIEWING: "a reviewer, which holds the review lease",
  WAITING: "asleep for its review, or a person is asked",
  HANDOFF:
    "a move, not a state: a new conversation continues with the same agent, so nobody has to act in between",
};

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** The words of document 001, made from what its suite walks. */
export const WORDS: readonly Word[] = [
  [
    "its eleven task states",
    `Task ${code(TASK_STATES)}`,
    "the same words; BLOCKED means that the task needs replanning",
  ],
  ...MOVES.map(
    ({ from, word, to, by }): Word => [
      word,
      `\`${typeof by === "string" ? by : by.type}\``,
      `${from} to ${to}`,
    ],
  ),
  ["merge by anybody", "`OBSERVED_MERGED`", "what a person did on GitHub is a fact"],
  ["resume by another coder", "`REASSIGN`", "REJECTED to CLAIMED in a fresh worktree"],
  [
    "`reviewing_by`, `review_lease_expires`",
    "Review lease `FREE`, `HELD`",
    "a machine of its own, with a fencing token",
  ],
  ...Object.entries(AGENT_STATES).map(
    ([state, { ours }]): Word => [`agent \`${state}\``, `Agent ${code(ours)}`, noteOf(state)],
  ),
  ["goal and sprint states", "Goal and Sprint", "the same words"],
  [
    "the files PAUSE, CHECKPOINT, ABORT",
    "`PAUSE`, `CHECKPOINT`, `ABORT`",
    "the same files, in Flotilla's data directory: while PAUSE is there, all agents are held; CHECKPOINT stops each running sprint, and its removal lets those sprints continue; while ABORT is there, every goal and sprint ends and all agents are held. Only the operator removes a file. A person may let a sprint continue while CHECKPOINT is there; the same file does not stop it again. On several machines, the file on any of them acts on all agents, and only its removal there ends what it holds: for CHECKPOINT while Flotilla runs there, else a person lets the sprint continue",
  ],
  [
    "exit 0",
    "session ends `completed`",
    "an end has a name and no code, because the host ends a conversation itself and knows why; the agent is COMPLETED and is not started again, because its work is done",
  ],
  [
    "exit 42",
    "session ends `handoff`, `cancelled`, `restart`, `lease_lost`, or rests `paused`",
    "each reason has an end of its own, so that people read it; after a handoff, a pause, a restart or a lost lease the agent continues when that is over, `cancelled` is its end; after a broken invariant it waits for a person instead of an immediate restart, because its rows are broken",
  ],
  [
    "any other exit",
    "session ends `crashed`",
    "a name and no code here too, because the host itself may have died with the process; 5 s, doubling to 5 min, three times",
  ],
  ["`handoff_pending`", "the handoff of the agent", "summary and next action, told to the new conversation"],
  ["`failed_by`", "Task `failedBy`", "by coder over all attempts; a second coder that fails blocks the task"],
];

function noteOf(state: string): string {
  return Object.entries(NOTES).find(([name]) => name === state)?.[1] ?? "";
}
