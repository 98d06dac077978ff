import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asks } from "../asking.ts";
import { limitsOf } from "../limits-of.ts";
import { checked, tell } from "../people.ts";
import { blocked, complete, edit, escalate, slowly, work } from "../scripts.ts";
import type { Moment, Walk } from "./rows.ts";
import { ASKING, about, atWork, curl, host, runDoes, saying } from "./work-under-way.ts";

const CHECKS = { settings: { evidence: { ...someSettings().evidence, requiredChecks: ["build"] } } };

const STAYS = " → CLAIMED";

const asleep = { session: "REST → idle", task: STAYS };

/** Rows in which an agent says how it stands. */
export const REPORTING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  report_blocked: [
    {
      how: "by its tool",
      before: () => about(blocked(2)),
      moment: saying,
      ...asleep,
      run: "AGENT_NEEDED → waiting_agent",
      agent: "BLOCKED → SLEEPING (blocked)",
    },
  ],
  ask_human: [
    {
      how: "by its tool",
      before: () => about(asks()),
      moment: saying,
      ...asleep,
      run: "INPUT_NEEDED → waiting_input",
      agent: "WAIT → SLEEPING (question)",
    },
  ],
  "turn limit, risky call, diff, plan": [
    {
      how: "the turn limit",
      before: () => about(edit("last.ts"), { settings: limitsOf({ maxTurns: 4 }) }),
      moment: saying,
      ...asleep,
      session: "AWAIT_APPROVAL → waiting_approval",
      run: "STEP → waiting_approval",
      agent: "WAIT → SLEEPING (approval)",
    },
    {
      how: "a risky call",
      before: () => about(curl, ASKING),
      moment: saying,
      ...asleep,
      session: "AWAIT_APPROVAL → waiting_approval",
      run: "APPROVAL_NEEDED → waiting_approval",
      agent: "WAIT → SLEEPING (approval)",
    },
  ],
  "required checks still running": [
    {
      how: "it sleeps for them",
      before: () => about(complete, CHECKS),
      moment: saying,
      ...asleep,
      session: "REST REST → idle",
      run: "STEP_COMPLETE → evaluating",
      agent: "WAIT → SLEEPING (checks)",
    },
    {
      how: "they pass",
      before: async () => {
        const rig = await about(complete, CHECKS);
        await saying(rig);
        return rig;
      },
      moment: (rig) => tell(rig, checked(rig, { build: "green" })),
      session: "STOP STOPPED → deleted",
      run: "EVALUATION_PASS → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "REQUEST_REVIEW → READY_FOR_REVIEW",
    },
  ],
  "evidence holds, and a review is not required or is given": [
    {
      how: "its claim is proved",
      before: () => about(complete),
      moment: saying,
      session: "REST STOP STOPPED → deleted",
      run: "STEP_COMPLETE EVALUATION_PASS → succeeded",
      agent: "COMPLETE → COMPLETED",
      task: "REQUEST_REVIEW → READY_FOR_REVIEW",
    },
  ],
  "evidence holds, policy wants a review not yet given": [
    {
      how: "its claim is sent back, naming the review",
      before: () => atWork(),
      moment: async (rig) => {
        await runDoes(rig, { ...host(rig), type: "STEP_COMPLETE" });
        const missing = "Ask for a review with request_review.";
        await runDoes(rig, { ...host(rig), type: "EVALUATION_FAIL", missing, maxBounces: 3 });
      },
      session: " → running",
      run: "STEP_COMPLETE EVALUATION_FAIL → adapting",
      agent: " → ACTIVE",
      task: STAYS,
    },
  ],
  escalate: [
    {
      how: "asked for",
      before: () => about(escalate),
      moment: saying,
      ...asleep,
      run: "INPUT_NEEDED → waiting_input",
      agent: "ESCALATE → ESCALATED",
    },
    {
      how: "after a limit",
      before: () =>
        atWork({
          settings: limitsOf({ maxToolCalls: 3 }),
          next: slowly(MINUTE, edit("last.ts")),
          rest: [...work],
        }),
      moment: saying,
      ...asleep,
      run: "STEP_FAILED → failed",
      agent: "ESCALATE → ESCALATED",
    },
  ],
};
