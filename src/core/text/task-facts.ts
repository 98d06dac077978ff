import { DEADLOCK, OUT_OF_DEADLOCK } from "../escalation.ts";
import type { TaskRecord } from "../machines/task.ts";
import { TAKE_OVER } from "./merge-words.ts";
import { oneLine } from "./one-line.ts";

/** Characters of a commit that people tell commits apart by. */
const SHORT_COMMIT = 7;

const known = (text: string | null) => oneLine(text ?? "unknown");

const short = (commit: string | null) => `\`${known(commit).slice(0, SHORT_COMMIT)}\``;

const WAY_OUT = "say what is to be done differently and `/flotilla start` or `/flotilla retry`";

const GIVE_UP = "`/flotilla cancel` gives it up";

/** Where the task stands and what goes with that, a line of the status comment; `coder` = one lives. */
export function taskFacts(task: TaskRecord, { coder }: { readonly coder: boolean }): string {
  const counted = [
    ...(task.reviewCyclesTotal === 0 ? [] : [`rejected ${times(task.reviewCyclesTotal)} so far`]),
    ...(task.failedBy.length === 0 ? [] : [`${coders(task.failedBy.length)} failed at it`]),
  ];
  return [`Task: **${task.state}**`, ...standing(task, coder), ...counted].join("; ");
}

/** What is set in just this state, and what a person can do where one must. */
function standing(task: TaskRecord, coder: boolean): readonly string[] {
  switch (task.state) {
    case "DRAFT":
      return ["it begins when the label `draft` is removed or somebody says `/flotilla start`"];
    case "CLAIMED":
      return task.integrationFix
        ? [`its coder mends a failed merge (${known(task.integrationReason)}), then it is reviewed again`]
        : [];
    case "READY_FOR_REVIEW":
    case "APPROVED":
      return [`about ${short(task.reviewCommit)}`, ...approvedBy(task)];
    case "REJECTED":
      return [known(task.rejectionReason)];
    case "INTEGRATION_FAILED":
      return [
        known(task.integrationReason),
        coder ? "its coder mends that, then it is reviewed again" : `nobody mends that: ${TAKE_OVER}`,
      ];
    case "BLOCKED":
      return task.blockedReason === DEADLOCK
        ? [
            `rejected ${times(task.reviewCyclesCurrent)} in a row (${DEADLOCK}): ${OUT_OF_DEADLOCK}; ${GIVE_UP}`,
          ]
        : [`it needs replanning (${known(task.blockedReason)}): ${WAY_OUT}; ${GIVE_UP}`];
    case "MERGED":
      return [`as ${short(task.mergeCommit)}`];
    case "SUPERSEDED":
      return [`#${task.supersededBy} takes its place: ${known(task.rescopeReason)}`];
    case "UNCLAIMED":
    case "ABANDONED":
      return [];
  }
}

function approvedBy({ verdicts }: TaskRecord): readonly string[] {
  return verdicts.length === 0
    ? []
    : [`approved by ${verdicts.map(({ reviewer }) => oneLine(reviewer)).join(", ")}`];
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

const coders = (count: number) => `${count} ${count === 1 ? "coder" : "coders"}`;
