import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { labeled, reviewed, said } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { escalate, on, onAttempt } from "../scripts.ts";
import type { Moment, Walk } from "./rows.ts";
import {
  after,
  agentDoes,
  approve,
  atWork,
  awake,
  done,
  host,
  pullOf,
  SLOW,
  saysAndWakes,
  taskDoes,
} from "./work-under-way.ts";

const again = { script: [onAttempt(1, 2, SLOW)] };

const second = "feat-dev-issue-1.2";

const STARTED = {
  session: "START RUN → running",
  run: "START INIT_COMPLETE → planning",
  of: second,
};

const WOKEN = { session: "WAKE → running", agent: "WAKE → ACTIVE", task: " → CLAIMED" };

const STAYS = " → CLAIMED";

const ask = async (rig: Rig) => {
  await rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested"));
  await awake(rig, second);
};

async function withoutReviewers(rig: Rig): Promise<void> {
  const reason = "no tests";
  await taskDoes(rig, {
    ...host(rig),
    type: "REJECT",
    reason,
    source: "review:1",
    maxCycles: 5,
    leaseToken: null,
    account: 5,
  });
}

/** Rows in which an agent goes to work. */
export const STARTING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  start: [
    {
      how: "a new coder",
      before: () => aRig({ script: [on(1, SLOW)] }),
      moment: async (rig) => {
        await rig.engine.handle(labeled(rig, 1));
        await awake(rig);
      },
      ...STARTED,
      of: "feat-dev-issue-1",
      agent: "CREATE START → ACTIVE",
      task: "OPEN CLAIM → CLAIMED",
    },
    {
      how: "a REOPENed coder of rejected work",
      before: () => done(again),
      moment: ask,
      ...STARTED,
      agent: "REOPEN START → ACTIVE",
      task: "REJECT RECLAIM → CLAIMED",
    },
    {
      how: "another coder of rejected work",
      before: async () => {
        const rig = await done(again);
        await withoutReviewers(rig);
        return rig;
      },
      moment: async (rig) => {
        await rig.engine.handle(said(rig, 1, "/flotilla start"));
        await awake(rig, second);
      },
      ...STARTED,
      agent: "CREATE START → ACTIVE",
      task: "REASSIGN → CLAIMED",
    },
    {
      how: "a REOPENed coder after a failed integration",
      before: async () => {
        const rig = await done(again);
        await approve(rig);
        await taskDoes(rig, { ...host(rig), type: "INTEGRATION_FAIL", reason: "it conflicts with main" });
        return rig;
      },
      moment: ask,
      ...STARTED,
      agent: "REOPEN START → ACTIVE",
      task: "CLAIM_FIX → CLAIMED",
    },
  ],
  handoff: [
    {
      how: "a new conversation continues",
      before: () => atWork(),
      moment: async (rig) => {
        const type = "HANDOFF";
        await agentDoes(rig, { ...host(rig), type, why: "context: nearly full" });
        rig.clock.advance(GRACEFUL_PAUSE_MS);
        rig.engine.poke();
        await awake(rig);
      },
      session: "STOP STOPPED START RUN → running",
      run: " → executing",
      agent: "HANDOFF → ACTIVE",
      task: STAYS,
    },
  ],
  "answer after ESCALATED": [
    {
      how: "of what was asked",
      before: () => after(escalate),
      moment: saysAndWakes("The second one holds."),
      ...WOKEN,
      run: "INPUT_RECEIVED → executing",
      agent: "RESUME → ACTIVE",
    },
    {
      how: "after a limit",
      before: async () => {
        const rig = await atWork();
        const limit = {
          reason: "max_tool_calls",
          category: "limit",
          question: null,
          breaker: "max_tool_calls",
        };
        await agentDoes(rig, { ...host(rig), ...limit, type: "ESCALATE" });
        await rig.idle();
        return rig;
      },
      moment: saysAndWakes("/flotilla resume"),
      ...WOKEN,
      run: "RESET START INIT_COMPLETE → planning",
      agent: "RESUME → ACTIVE",
    },
  ],
};
