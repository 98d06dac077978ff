import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asks } from "../asking.ts";
import { checked, closed, reviewed, said, tell } from "../people.ts";
import { type Rig } from "../rig.ts";
import { blocked, complete } from "../scripts.ts";
import type { Moment, Walk } from "./rows.ts";
import {
  ASKING,
  after,
  agentDoes,
  approve,
  atWork,
  awake,
  curl,
  host,
  inReview,
  pullOf,
  saysAndWakes,
  standsStill,
  taskDoes,
  waits,
} from "./work-under-way.ts";

const CHECKS = { settings: { evidence: { ...someSettings().evidence, requiredChecks: ["build"] } } };

const WOKEN = { session: "WAKE → running", agent: "WAKE → ACTIVE", task: " → CLAIMED" };

async function asleepAtLimit(): Promise<Rig> {
  const rig = await atWork();
  await agentDoes(rig, { ...waits(rig, "approval"), breaker: "max_turns" });
  await rig.idle();
  return rig;
}

async function dead(): Promise<Rig> {
  const rig = await atWork();
  for (const id of rig.runtime.running) rig.runtime.kill(id);
  await rig.idle();
  return rig;
}

/** The row in which a sleeper is woken, by where its run was left. */
export const WAKING: Readonly<Partial<Record<Moment, readonly Walk[]>>> = {
  wake: [
    {
      how: "waiting_input, by an answer",
      before: () => after(asks()),
      moment: saysAndWakes("/flotilla answer Blue."),
      ...WOKEN,
      run: "INPUT_RECEIVED → executing",
    },
    {
      how: "waiting_agent, by its blocker",
      before: () => after(blocked(2)),
      moment: async (rig) => {
        await rig.engine.handle(closed(rig, 2));
        await awake(rig);
      },
      ...WOKEN,
      run: "AGENT_COMPLETE → executing",
    },
    {
      how: "waiting_agent, by a message",
      before: () => after(blocked(2)),
      moment: saysAndWakes("@flotilla how far are you?"),
      ...WOKEN,
      run: "AGENT_COMPLETE → executing",
    },
    {
      how: "waiting_approval, at the limit of turns",
      before: asleepAtLimit,
      moment: saysAndWakes("/flotilla continue 5"),
      ...WOKEN,
      run: "CONTINUE → executing",
    },
    ...(["approve", "deny"] as const).map(
      (verb): Walk => ({
        how: `waiting_approval, by ${verb}`,
        before: () => after(curl, ASKING),
        moment: saysAndWakes(`/flotilla ${verb}`),
        ...WOKEN,
        run: verb === "approve" ? "APPROVE → executing" : "DENY → adapting",
      }),
    ),
    {
      how: "error",
      before: dead,
      moment: async (rig) => {
        rig.clock.advance(MINUTE);
        await rig.engine.tick();
        await awake(rig);
      },
      ...WOKEN,
      session: "START RUN → running",
      run: "RETRY → executing",
    },
    {
      how: "paused",
      before: async () => {
        const rig = await atWork();
        await tell(rig, said(rig, 1, "/flotilla pause"));
        return rig;
      },
      moment: saysAndWakes("/flotilla resume"),
      ...WOKEN,
      agent: "RESUME WAKE → ACTIVE",
      run: "RESUME → executing",
    },
    {
      how: "evaluating, after red checks",
      before: () => after(complete, CHECKS),
      moment: async (rig) => {
        await rig.engine.handle(checked(rig, { build: "red" }));
        await awake(rig);
        await rig.until("it is told", () => rig.runtime.requests.length === 5);
      },
      ...WOKEN,
      session: "WAKE REST RUN → running",
      run: "EVALUATION_FAIL → adapting",
    },
    {
      how: "evaluating, by a message",
      before: () => after(complete, CHECKS),
      moment: saysAndWakes("@flotilla add a line"),
      ...WOKEN,
      session: "WAKE REST RUN → running",
      // Its claim stands recorded: it is looked at once more, and gives way to the message.
      run: "NEXT_STEP STEP_COMPLETE NEXT_STEP → executing",
    },
    {
      how: "executing, which it keeps",
      before: async () => {
        const rig = await atWork();
        standsStill(rig);
        await rig.restart();
        return rig;
      },
      moment: async (rig) => {
        rig.clock.advance(1);
        rig.engine.poke();
        await awake(rig);
      },
      ...WOKEN,
      session: "STOPPED START RUN → running",
      run: " → executing",
    },
    {
      how: "with its work rejected",
      before: inReview,
      moment: async (rig) => {
        await rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested"));
        await awake(rig);
      },
      ...WOKEN,
      run: "INPUT_RECEIVED → executing",
      task: "REJECT RECLAIM → CLAIMED",
    },
    {
      how: "with its integration failed",
      before: async () => {
        const rig = await inReview();
        await approve(rig);
        await taskDoes(rig, { ...host(rig), type: "INTEGRATION_FAIL", reason: "it conflicts with main" });
        return rig;
      },
      moment: async (rig) => {
        await rig.engine.handle(reviewed(rig, pullOf(rig), "commented"));
        await awake(rig);
      },
      ...WOKEN,
      run: "INPUT_RECEIVED → executing",
      task: "CLAIM_FIX → CLAIMED",
    },
  ],
};
