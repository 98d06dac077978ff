import { MINUTE } from "../../factories/moment.ts";
import { sessionsOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { moveBy } from "../move-by.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on } from "../scripts.ts";
import type { Moment, Walk } from "./rows.ts";
import { about, agentDoes, atWork, host, SLOW, saying, standsStill } from "./work-under-way.ts";

const STAYS = " → CLAIMED";

const asleep = { session: "REST → idle", task: STAYS };

const PAUSED = {
  session: "PAUSE → paused",
  run: "PAUSE → paused",
  agent: "PAUSE → SLEEPING (paused)",
  task: " → CLAIMED",
};

async function dies(rig: Rig): Promise<void> {
  for (const { sessionId } of await sessionsOf(rig)) rig.runtime.kill(sessionId);
  await rig.idle();
}

async function pausedBy(rig: Rig, holder: "commit" | "incident"): Promise<void> {
  await agentDoes(rig, { ...host(rig), type: "PAUSE", holder, why: `because of the ${holder}` });
  await rig.idle();
}

/** Rows in which others put an agent to rest, or it falls. */
export const RESTING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  "runtime died / model refuses": [
    {
      how: "its process died",
      before: () => atWork(),
      moment: dies,
      ...asleep,
      session: "FAIL → failed",
      run: "ERROR → error",
      agent: "WAIT → SLEEPING (retry)",
    },
    {
      how: "the model is not available",
      before: () => about({ error: { status: 503, message: "later" } }),
      moment: saying,
      ...asleep,
      run: "ERROR → error",
      agent: "WAIT → SLEEPING (provider_limit)",
    },
  ],
  "host stopped or was killed": [
    {
      how: "stopped",
      before: () => atWork(),
      moment: (rig) => rig.engine.stop(),
      session: "STOP → stopping",
      run: " → executing",
      agent: "WAIT → SLEEPING (restart)",
      task: STAYS,
    },
    {
      how: "killed",
      before: () => atWork(),
      moment: async (rig) => {
        standsStill(rig);
        await rig.restart();
      },
      session: "STOP → stopping",
      run: " → executing",
      agent: "WAIT → SLEEPING (restart)",
      task: STAYS,
    },
  ],
  "agent lease lost": [
    {
      how: "without a sign of life",
      before: async () => {
        const rig = await aRig({ script: [on(1, SLOW)] });
        const open = methodOf(rig.runtime, "open");
        rig.runtime.open = async (spec) => {
          rig.runtime.open = open;
          return { ...(await open(spec)), exchange: () => Promise.resolve({ kind: "aborted" }) };
        };
        await tell(rig, labeled(rig, 1));
        await rig.work(4 * MINUTE);
        return rig;
      },
      moment: async (rig) => {
        rig.clock.advance(2 * MINUTE);
        await rig.engine.tick();
        await rig.idle();
      },
      session: "FAIL → failed",
      run: "ERROR → error",
      agent: "WAIT → SLEEPING (retry)",
      task: STAYS,
    },
  ],
  "pause, foreign commit, checkpoint, incident": [
    {
      how: "a person",
      before: () => atWork(),
      moment: (rig) => tell(rig, said(rig, 1, "/flotilla pause")),
      ...PAUSED,
    },
    ...(["commit", "incident"] as const).map(
      (holder): Walk => ({
        how: holder,
        before: () => atWork(),
        moment: (rig) => pausedBy(rig, holder),
        ...PAUSED,
      }),
    ),
    {
      how: "its sprint's checkpoint",
      before: async () => {
        const rig = await atWork();
        const open = {
          type: "OPEN",
          repositoryId: 7,
          goalId: null,
          milestone: 2,
          title: "x",
          dueAt: null,
        } as const;
        await moveBy(rig, { machine: "sprint", id: null, event: { ...host(rig), ...open } });
        await rig.store.transaction(async ({ records }) => {
          for (const task of await records.find("task", { issue: 1 }))
            await records.save("task", task, { ...task, sprintId: 1 });
        });
        return rig;
      },
      moment: async (rig) => {
        const event = { ...host(rig), type: "CHECKPOINT", cause: "person", why: "let me look" } as const;
        await moveBy(rig, { machine: "sprint", id: 1, event });
        await rig.idle();
      },
      ...PAUSED,
    },
  ],
};
