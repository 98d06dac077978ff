import { HOUR } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { taskOf } from "../look.ts";
import { closed, labeled, pullClosed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";
import type { Moment, Walk } from "./rows.ts";
import {
  about,
  agentDoes,
  approve,
  atWork,
  host,
  inReview,
  pullOf,
  SLOW,
  saying,
  taskDoes,
  waits,
} from "./work-under-way.ts";

const GONE = "STOP STOPPED → deleted";

async function breaks(rig: Rig): Promise<void> {
  const reason = "the model refused the request";
  const failed = { type: "FAIL", reason, breaker: null, code: "model_refused" } as const;
  await agentDoes(rig, { ...host(rig), ...failed });
  await rig.idle();
}

async function failedBefore(): Promise<Rig> {
  const rig = await atWork();
  await rig.store.transaction(async ({ records }) => {
    for (const task of await records.find("task", { issue: 1 }))
      await records.save("task", task, { ...task, failedBy: [99] });
  });
  return rig;
}

async function completes(rig: Rig): Promise<void> {
  await tell(rig, said(rig, 1, "/flotilla complete"));
}

/** Rows in which an agent comes to an end, or to a person. */
export const ENDING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  "broke for good": [
    {
      how: "for the first time",
      before: () => atWork(),
      moment: breaks,
      session: "FAIL → failed",
      run: "ERROR → failed",
      agent: "FAIL → FAILED",
      task: "RELEASE → UNCLAIMED",
    },
    {
      how: "after another coder",
      before: failedBefore,
      moment: breaks,
      session: "FAIL → failed",
      run: "ERROR → failed",
      agent: "FAIL → FAILED",
      task: "BLOCK → BLOCKED",
    },
  ],
  cancelled: [
    {
      how: "by a person's word",
      before: () => atWork(),
      moment: (rig) => tell(rig, said(rig, 1, "/flotilla cancel")),
      session: GONE,
      run: "CANCEL → cancelled",
      agent: "CANCEL → CANCELLED",
      task: "RELEASE → UNCLAIMED",
    },
    {
      how: "with its work under review",
      before: inReview,
      moment: (rig) => tell(rig, said(rig, 1, "/flotilla cancel")),
      session: GONE,
      run: "CANCEL → cancelled",
      agent: "CANCEL → CANCELLED",
      task: "RELEASE → UNCLAIMED",
    },
    {
      how: "with its issue closed",
      before: () => atWork(),
      moment: (rig) => tell(rig, closed(rig, 1)),
      session: GONE,
      run: "CANCEL → cancelled",
      agent: "CANCEL → CANCELLED",
      task: "RELEASE OBSERVED_CLOSED → ABANDONED",
    },
  ],
  merged: [
    {
      how: "by a person",
      before: () => atWork(),
      moment: (rig) => tell(rig, pullClosed(rig, pullOf(rig), { merged: true })),
      session: GONE,
      run: "OBSERVED_DONE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "OBSERVED_MERGED → MERGED",
    },
    {
      how: "by us",
      before: async () => {
        const rig = await inReview();
        await approve(rig);
        return rig;
      },
      moment: async (rig) => {
        const head = (await taskOf(rig))?.reviewCommit ?? "";
        await taskDoes(rig, {
          ...host(rig),
          type: "MERGE",
          head,
          checksGreen: true,
          mergeCommit: "c".repeat(40),
        });
        await agentDoes(rig, { ...host(rig), type: "COMPLETE", cause: "merged", summary: "It was merged." });
        await rig.idle();
      },
      session: GONE,
      run: "OBSERVED_DONE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "MERGE → MERGED",
    },
  ],
  "`/complete` by a person": [
    {
      how: "who was asked",
      before: async () => {
        const rig = await atWork();
        await agentDoes(rig, waits(rig, "approval"));
        await rig.idle();
        return rig;
      },
      moment: completes,
      session: GONE,
      run: "COMPLETE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "REQUEST_REVIEW → READY_FOR_REVIEW",
    },
    {
      how: "while it works",
      before: () => atWork(),
      moment: completes,
      session: GONE,
      run: "OBSERVED_DONE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "REQUEST_REVIEW → READY_FOR_REVIEW",
    },
    {
      how: "before there is a commit",
      before: async () => {
        const rig = await aRig({ script: [on(1, blocked(2), SLOW)] });
        await tell(rig, labeled(rig, 1));
        return rig;
      },
      moment: completes,
      session: GONE,
      run: "OBSERVED_DONE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "RELEASE → UNCLAIMED",
    },
    {
      how: "with its work under review",
      before: inReview,
      moment: completes,
      session: GONE,
      run: "OBSERVED_DONE → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: " → READY_FOR_REVIEW",
    },
  ],
  "a deadline or the wake limit passed": [
    {
      how: "the deadline",
      before: async () => {
        const rig = await about(blocked(2));
        await saying(rig);
        return rig;
      },
      moment: (rig) => rig.pass(24 * HOUR),
      session: "REST → idle",
      run: "TIMEOUT → failed",
      agent: "EXPIRE → ESCALATED",
      task: " → CLAIMED",
    },
    {
      how: "the wake limit",
      before: async () => {
        const rig = await about(blocked(2), { settings: limitsOf({ maxIterations: 0 }) });
        await saying(rig);
        return rig;
      },
      moment: (rig) => tell(rig, closed(rig, 2)),
      session: "REST → idle",
      run: "MAX_ITERATIONS → failed",
      agent: "WAKE → ESCALATED",
      task: " → CLAIMED",
    },
  ],
};
