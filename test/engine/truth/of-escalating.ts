import { failureFingerprint } from "../../../src/domain/checks/check-failure.ts";
import type { ESCALATION_CATEGORIES } from "../../../src/domain/tasks/escalation.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asked as asksPeople } from "../asking.ts";
import { asked as asksEvaluator, evaluated } from "../evaluating.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, taskOf } from "../look.ts";
import { closed, labeled, reviewed, said, tell } from "../people.ts";
import { failing, headOf, put } from "../put-checks.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, call, complete, edit, on, replan, type Step, say, slowly, work } from "../scripts.ts";
import { atWork, pullOf, requestReview } from "../together/work-under-way.ts";
import type { Situation } from "./situation.ts";

export type Category = (typeof ESCALATION_CATEGORIES)[number];

async function begun(script: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [on(1, ...script)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

const WAYS =
  /^answer in a comment, or say `\/flotilla resume`, `\/flotilla complete`, `\/flotilla retry` or `\/flotilla cancel`$/;
const RAISES = /`\/flotilla resume` \(half of the limit again\), `\/flotilla budget \+N`/;

/** It says so itself. */
const reported = (category: Category): Situation => ({
  state: "ESCALATED",
  make: () =>
    begun([
      call("escalate_to_human", { reason: `It is about ${category}.`, category, question: "What now?" }),
    ]),
  now: new RegExp(`^needs a person: It is about ${category}\\.`),
  next: WAYS,
});

const escalated = (make: () => Promise<Rig>, now: RegExp, next = WAYS): Situation => ({
  state: "ESCALATED",
  make,
  now,
  next,
});

const edits = (count: number) => Array.from({ length: count }, (_, index) => edit(`file-${index}.ts`));
const TROUBLE = "Error: expected 1, got 2";
const look: Step = call("view", { path: "README.md" });

/** Its limit was raised by half twice. */
async function raisedTwice(): Promise<Rig> {
  const rig = await begun([...edits(3), say("…"), ...edits(9)], { settings: limitsOf({ maxToolCalls: 2 }) });
  for (let count = 0; count < 2; count += 1) await tell(rig, said(rig, 1, "/flotilla resume"));
  return rig;
}

async function wokenTooOften(): Promise<Rig> {
  const rig = await begun([blocked(2), blocked(3)], { settings: limitsOf({ maxIterations: 1 }) });
  await tell(rig, closed(rig, 2));
  await tell(rig, closed(rig, 3));
  return rig;
}

/** The check of its work fails as it did at three attempts. */
async function failingChecks(): Promise<Rig> {
  const rig = await atWork();
  await requestReview(rig);
  rig.repository.requiredChecks = ["build"];
  const fingerprint = failureFingerprint({ check: "build", step: "npm test", telling: TROUBLE });
  const taskId = (await taskOf(rig))?.id ?? 0;
  const one = { taskId, check: "build", at: 1, fingerprint };
  await rig.store.checks.attempt(["a", "b", "c"].map((commit) => ({ ...one, commit })));
  await tell(rig, put(rig, headOf(rig), { build: failing(11, TROUBLE) }));
  return rig;
}

async function deadlock(): Promise<Rig> {
  const rig = await atWork({ settings: { review: { ...someSettings().review, maxCycles: 1 } } });
  await requestReview(rig);
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  return rig;
}

/** For each kind of trouble of which a person is told at least one way into it. */
export const ESCALATIONS: Readonly<Record<Category, Readonly<Record<string, Situation>>>> = {
  decision: { "of its own": reported("decision") },
  requirements: { "of its own": reported("requirements") },
  access: { "of its own": reported("access") },
  environment: { "of its own": reported("environment") },
  security: { "of its own": reported("security") },
  other: { "of its own": reported("other") },
  limit: {
    "of tool calls": escalated(
      () => begun([...edits(4), say("What now?")], { settings: limitsOf({ maxToolCalls: 3 }) }),
      /^needs a person: .*max_tool_calls/,
      RAISES,
    ),
    "of tokens": escalated(
      () => begun([...edits(9), say("What now?")], { settings: limitsOf({ maxTokens: 330 }) }),
      /^needs a person: .*max_tokens/,
      RAISES,
    ),
    "of wakes": escalated(wokenTooOften, /^needs a person: it was woken once .*max_iterations/, RAISES),
    "raised twice already": escalated(
      raisedTwice,
      /^needs a person: .*max_tool_calls/,
      /^say how much more by `\/flotilla budget \+N`, or say `\/flotilla complete`/,
    ),
  },
  expired: {
    "with a blocker": escalated(async () => {
      const rig = await begun([blocked(2)]);
      await rig.pass(24 * HOUR);
      return rig;
    }, /^needs a person: .*waiting for #2/),
    "with a question": escalated(async () => {
      const rig = await asksPeople();
      await rig.pass(48 * HOUR);
      return rig;
    }, /^needs a person: .*waiting for an answer to its question/),
  },
  evidence: {
    "after its claims": escalated(
      () =>
        begun([complete, complete, say("…")], {
          settings: { evidence: { ...someSettings().evidence, maxBounces: 1 } },
        }),
      /^needs a person: .*reported done 2 times, but the work is incomplete: /,
    ),
  },
  evaluator: {
    "that gave no answer": escalated(async () => {
      const rig = await evaluated([on(1, ...work), asksEvaluator("", say("I am not sure."))]);
      await tell(rig, labeled(rig, 1));
      return rig;
    }, /^needs a person: .*evaluat/),
  },
  checks: {
    "that fail in the same way again": escalated(failingChecks, /^needs a person: .*build.*3 attempts/),
  },
  disk: {
    "that it has filled": escalated(async () => {
      const rig = await aRig({ script: [on(1, slowly(HOUR, edit()))] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it talks", () => rig.runtime.requests.length === 1);
      rig.disk.usedBytes.set((await agentOf(rig)).id, 1024 ** 3);
      rig.disk.freeBytes = 1024 ** 3 / 3;
      await rig.engine.watchDisk();
      // Time may pass when nothing is being read or written any more.
      await rig.idle();
      rig.disk.freeBytes = 99 * 1024 ** 3;
      rig.clock.advance(MINUTE);
      await rig.engine.watchDisk();
      await rig.idle();
      return rig;
    }, /^needs a person: the disk has less than .*; this agent uses 1 GiB/),
  },
  review_deadlock: {
    "after the last round": escalated(
      deadlock,
      /^needs a person: /,
      /^say in a comment what to do differently; `\/flotilla resume \[rounds\]` .*`\/flotilla retry`.*`\/flotilla cancel`/,
    ),
  },
  setup: {
    "that fails": {
      ...escalated(async () => {
        const rig = await aRig({
          settings: {
            setup: {
              commands: ["npm ci"],
              network: [],
              cache: [],
              reuse: [],
              repositoriesMay: { commands: true, services: true, hosts: [] },
              environment: {},
            },
          },
          script: [on(1, ...work)],
        });
        rig.runner.ends.set("npm ci", { exitCode: 1, output: "registry not reachable" });
        await tell(rig, labeled(rig, 1));
        return rig;
      }, /^needs a person: .*setup command `npm ci` failed/),
      first: async (rig) => rig.runner.ends.clear(),
    },
  },
  provider: {
    "that refuses our key": escalated(
      () => begun([{ error: { status: 401, message: "bad key" } }, ...work]),
      /^needs a person: .*/,
    ),
  },
  no_progress: {
    "in circles": escalated(async () => {
      const rig = await begun(Array.from({ length: 40 }, () => look));
      await rig.work(5 * MINUTE);
      await rig.idle();
      return rig;
    }, /^needs a person: .*was repeated/),
  },
  replanning: {
    "of its own": escalated(
      () => begun([edit(), replan("These are two pieces.")]),
      /^needs a person: .*two pieces/,
      /^say in a comment what to do differently, or say `\/flotilla resume`, `\/flotilla retry` or `\/flotilla cancel`$/,
    ),
  },
  ended_without_report: {
    twice: escalated(() => begun([say("Done."), say("Really.")]), /^needs a person: .*/),
  },
};
