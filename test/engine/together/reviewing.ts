import { NO_ATTRIBUTES } from "../../../src/domain/agents/agent-attributes.ts";
import type { AgentEvent } from "../../../src/domain/agents/agent-event.ts";
import { roleAs } from "../../../src/domain/review/reviewer.ts";
import { HOUR } from "../../factories/moment.ts";
import { agentOf, taskOf } from "../look.ts";
import { moveBy } from "../move-by.ts";
import { REPOSITORY, type Rig } from "../rig.ts";
import type { Moment, Walk } from "./rows.ts";
import {
  agentDoes,
  approve,
  atWork,
  host,
  inReview,
  requestReview,
  runDoes,
  standsStill,
  taskDoes,
} from "./work-under-way.ts";

export const REVIEWER = "reviewer-issue-1";

const STAYS = " → CLAIMED";

const asleep = { session: "REST → idle", task: STAYS };

/** A reviewing agent holds the lease of the work under review. `silent`: it does not begin to talk until time passes. */
export async function underReview({ silent = false } = {}): Promise<Rig> {
  const rig = await inReview();
  if (silent) standsStill(rig);
  const newAgent = {
    repositoryId: REPOSITORY.id,
    name: REVIEWER,
    role: "reviewer",
    issue: 1,
    attempt: 1,
    coder: false,
    planFirst: false,
    ephemeral: true,
    branch: null,
    parentAgentId: null,
    runtime: "copilot",
    mode: "one_shot" as const,
    prNumber: null,
    ...NO_ATTRIBUTES,
  };
  const create: AgentEvent = {
    ...host(rig),
    type: "CREATE",
    newAgent,
    entry: { assignedTo: null },
  };
  await moveBy(rig, { machine: "agent", id: null, event: create });
  await runDoes(rig, { ...host(rig), type: "INIT_COMPLETE" }, REVIEWER);
  await runDoes(rig, { ...host(rig), type: "PLAN_COMPLETE" }, REVIEWER);
  const leaseUntil = rig.clock.now() + HOUR;
  const { id: taskId = 0 } = (await taskOf(rig)) ?? {};
  const { id: holderId } = await agentOf(rig, REVIEWER);
  const { id: authorId } = await agentOf(rig);
  const claim = { ...host(rig), type: "CLAIM", taskId, holderId, authorId, leaseUntil } as const;
  await moveBy(rig, { machine: "review_lease", id: null, event: claim });
  return rig;
}

/** The reviewer's claim is its verdict: task, lease and agent move with it. */
async function givesVerdict(rig: Rig, verdict: "APPROVE" | "REJECT"): Promise<void> {
  const task = await taskOf(rig);
  const verdictOn = { author: "feat-dev-issue-1", ...roleAs(REVIEWER), commit: task?.reviewCommit ?? "" };
  await runDoes(rig, { ...host(rig), type: "STEP_COMPLETE" }, REVIEWER);
  await taskDoes(
    rig,
    verdict === "APPROVE"
      ? { ...host(rig), ...verdictOn, type: verdict, reviewers: 1, leaseToken: 1 }
      : {
          ...host(rig),
          type: verdict,
          reason: "no tests",
          source: "verdict:1",
          maxCycles: 5,
          leaseToken: 1,
          account: null,
        },
  );
  const summary = "Its verdict is given.";
  await agentDoes(rig, { ...host(rig), type: "COMPLETE", cause: "evidence", summary }, REVIEWER);
  const [lease] = await rig.store.records.find("review_lease", { taskId: task?.id ?? 0 });
  if (lease?.state !== "FREE") throw new Error("the lease of the review is still held");
  rig.clock.advance(1);
  await rig.idle();
}

const reviewed = (verdict: "APPROVE" | "REJECT", task: string): Walk => ({
  how: verdict === "APPROVE" ? "an approval" : "a rejection",
  before: () => underReview({ silent: true }),
  moment: (rig) => givesVerdict(rig, verdict),
  of: REVIEWER,
  session: "STOP STOPPED → deleted",
  run: "STEP_COMPLETE EVALUATION_PASS → succeeded",
  agent: "COMPLETE → COMPLETED",
  task,
});

/** Rows of a review. */
export const REVIEWING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  request_review: [
    {
      how: "the evidence holds",
      before: () => atWork(),
      moment: requestReview,
      ...asleep,
      run: "STEP_COMPLETE INPUT_NEEDED → waiting_input",
      agent: "WAIT → SLEEPING (review)",
      task: "REQUEST_REVIEW → READY_FOR_REVIEW",
    },
    {
      how: "the evidence does not hold",
      before: () => atWork(),
      moment: async (rig) => {
        await runDoes(rig, { ...host(rig), type: "STEP_COMPLETE" });
        await runDoes(rig, { ...host(rig), type: "EVALUATION_FAIL", missing: "a test", maxBounces: 3 });
      },
      session: " → running",
      run: "STEP_COMPLETE EVALUATION_FAIL → adapting",
      agent: " → ACTIVE",
      task: STAYS,
    },
  ],
  "verdict submitted": [reviewed("APPROVE", "APPROVE → APPROVED"), reviewed("REJECT", "REJECT → REJECTED")],
  approved: [
    {
      how: "by a person",
      before: inReview,
      moment: async (rig) => {
        await approve(rig);
        await rig.idle();
      },
      session: " → idle",
      run: " → waiting_input",
      agent: " → SLEEPING (review)",
      task: "APPROVE → APPROVED",
    },
  ],
};
