/** Disagreements that a suite met, and that are not among those that the design lists. */
export const FOUND = {
  end_is_kept: {
    question: "the clean-up after a success or an abort leads back to `idle` (000, 002)",
    ruling:
      "the clean-up is the same, and `succeeded`, `cancelled` and the `failed` of a FAILED agent stay, so that people read how it ended; no later work needs the old Run",
    documents: ["000", "002"],
  },
  abort_while_starting: {
    question: "ABORT while starting: in the matrix and the configuration, not in the table (000)",
    ruling: "taken: CANCEL holds in every live state",
    documents: ["000"],
  },
  pause_while_starting: {
    question: "PAUSE while starting: invalid (000), or taken (002)",
    ruling: "taken from initializing on; RESUME goes back there",
    documents: ["000", "002"],
  },
  paused_holds_resources: {
    question: "paused and error keep their resources (000), or give up the process (004)",
    ruling:
      "slot and process are freed, so that other agents can work meanwhile; worktree, branch and conversation are kept, so that no work is lost; `error` needs no decision, because most such errors pass and it is retried by itself; a person can retry at once",
    documents: ["000", "004"],
  },
  rescope_leads: {
    question: "rescope leads to UNCLAIMED (table) or to SUPERSEDED (diagram of 001)",
    ruling: "RESCOPE to UNCLAIMED, SUPERSEDE to SUPERSEDED",
    documents: ["001"],
  },
  blocked_keeps_worktree: {
    question: "BLOCKED → UNCLAIMED deletes the worktree (001)",
    ruling:
      "it is deleted when a planner rescopes the task or a person starts a new attempt, because that work is given up; a coder that a person lets continue after a review deadlock or a need for replanning keeps its worktree (one that had completed gets a worktree on its branch), because the person asks for a change of this work",
    documents: ["001"],
  },
  handoff_from: {
    question: "context exhaustion leads to HANDOFF from WORKING (table) or from WAITING (diagram of 001)",
    ruling: "only while ACTIVE: the context of a sleeper does not fill",
    documents: ["001"],
  },
  reviewer_waits: {
    question: "WAITING is a state of coders only (001)",
    ruling:
      "any agent may sleep for a retry, a limit, a restart or a pause, and ask a person, because a reviewer meets the same errors and limits as a coder",
    documents: ["001"],
  },
  agent_without_task: {
    question: "an agent is registered first and idle until it has a task (001)",
    ruling:
      "it is made for its issue (CREATED), and ended when the work is over, because its name, branch, worktree and conversation belong to that issue",
    documents: ["001"],
  },
  states_against_matrix: {
    question: "the table of states names fewer moves than the matrix (002)",
    ruling: "the matrix, because the code of the document has the same moves",
    documents: ["002"],
  },
  neither_bag_nor_switch: {
    question:
      "a record has a bag for other fields (`extra`), and a switch keeps it out of the database (002)",
    ruling:
      "neither: each field is a column with a type, so that what is stored can be checked; each state is stored, because a restart continues from it",
    documents: ["002"],
  },
  diagram_without_stopped: {
    question: "the diagram has no way to `stopped` but from `stopping` and `failed`, the table has (003)",
    ruling:
      "the diagram: a process that ends without a stop makes it `failed`, and `stopped` at the clean-up; its transitions show which of the two ways it went, a crash or a stop",
    documents: ["003"],
  },
  approval_from_rest: {
    question: "`starting` and `idle` may become `waiting_approval` (003)",
    ruling: "only `running` may, and `paused` when it is let go: only a model at work asks for something",
    documents: ["003"],
  },
  pause_of_a_start: {
    question: "`starting` may not become `paused` (003)",
    ruling: "it may: a person can pause an agent whose process is still being started",
    documents: ["003"],
  },
  live_without_conversation: {
    question: "send and kill are refused in `unspecified`, `stopped` and `failed` (003)",
    ruling:
      "refused once its agent has ended; an agent that lives begins the conversation by itself: a message waits for that, and a kill cancels it",
    documents: ["003"],
  },
  revive_by_agent: {
    question: "revive is taken only in `stopped` or `failed` (003)",
    ruling:
      "the state of the agent decides, because a person asks for a new attempt at its work, not for its old conversation: an ESCALATED agent is revived although its conversation is `idle`; a COMPLETED one is refused although its conversation is `stopped`, because its work is done (reopen the issue instead)",
    documents: ["003"],
  },
  hashed_session_id: {
    question: "the session id is the agent's id with a prefix (004)",
    ruling:
      "it is a hash of repository and agent, and the number of the conversation, because the runtime merges conversations with equal ids",
    documents: ["004"],
  },
  picture_as_chain: {
    question: "the picture draws COMPLETED → FAILED → ESCALATED, the text has each from ACTIVE (004)",
    ruling: "the text: an agent that has completed or failed is over, and makes no other move",
    documents: ["004"],
  },
  task_by_number: {
    question: "a task is named by a cuid (000)",
    ruling: "by its repository and issue number, which people know from GitHub",
    documents: ["000"],
  },
  totals_of_agent: {
    question: "the clean-up counts all tasks and the completed ones of the agent (000)",
    ruling:
      "an agent is made for one task, so a count of its own tells nothing: `flotilla ledger --by role` counts the runs and the finished tasks of each role, from the rows of its agents; a further attempt has its number in the agent's name",
    documents: ["000"],
  },
  environment_from_worktree: {
    question: "the environment that an execution loads is read from its worktree (000)",
    ruling:
      "it is loaded for each conversation and each command of the host, from `setup.environment` of the configuration and of the repository's file on its default branch: an agent does not change the environment of the commands that check it; of the host's own variables only PATH, language, time zone and certificates go in, because others may hold secrets",
    documents: ["000"],
  },
} as const;
