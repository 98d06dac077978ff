import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { HOUR } from "../../factories/moment.ts";
import { ON_POSTGRES } from "../on-postgres.ts";
import { assigned, closed, labeled, pullClosed, reopened, reviewed, said, unlabeled } from "../people.ts";
import { createRig, type Rig } from "../rig.ts";
import { after, blocked, commit, complete, edit, escalate, on, openPr, say, work } from "../scripts.ts";

/** On a server each takes some seconds. */
const ORDERS = ON_POSTGRES ? 5 : 15;

const SCRIPT = [
  on(1, blocked(2), after("which blocked you", edit()), commit, openPr, complete),
  on(2, say("Hm."), ...work),
  on(3, escalate, after("You are awake again", edit()), commit, openPr, complete),
];

const firstPull = (rig: Rig): number => [...rig.repository.pulls.keys()][0] ?? 0;

/** Everything that may happen to an issue, made when its turn comes. */
const ACTS: Readonly<Record<string, (rig: Rig, issue: number) => DomainEvent>> = {
  label: labeled,
  unlabel: (rig, issue) => unlabeled(rig, issue, "feature"),
  "remove needs-human": (rig, issue) => unlabeled(rig, issue, "needs-human"),
  close: closed,
  reopen: reopened,
  assign: (rig, issue) => assigned(rig, issue, "bob"),
  mention: (rig, issue) => said(rig, issue, "@flotilla hello"),
  talk: (rig, issue) => said(rig, issue, "I see."),
  ...Object.fromEntries(
    ["start feat-dev", "pause", "resume", "continue", "complete", "cancel", "retry"].map((command) => [
      command,
      (rig: Rig, issue: number) => said(rig, issue, `/flotilla ${command}`),
    ]),
  ),
  merge: (rig) => pullClosed(rig, firstPull(rig), { merged: true }),
  "close pull": (rig) => pullClosed(rig, firstPull(rig), { merged: false }),
  "request changes": (rig) => reviewed(rig, firstPull(rig), "changes_requested"),
};

const act = fc.record({
  name: fc.constantFrom(...Object.keys(ACTS)),
  issue: fc.constantFrom(1, 2, 3),
  /** What happens before the following one: nothing at all, everything that follows, a restart, an hour. */
  next: fc.constantFrom("at once", "idle", "restart", "pass"),
});

type Act = typeof act extends fc.Arbitrary<infer Made> ? Made : never;

/** Found once: a closed pull request is opened again and merged while a second attempt works on its issue. */
const MERGED_LATE: Act[] = [
  { name: "label", issue: 2, next: "idle" },
  { name: "close pull", issue: 2, next: "at once" },
  { name: "label", issue: 2, next: "at once" },
  { name: "merge", issue: 2, next: "at once" },
];

/** In steps, as in life: at one leap the leases of agents at work would be over before a tick could renew them. */
async function anHour(rig: Rig): Promise<void> {
  await rig.work(HOUR);
  await rig.idle();
}

async function happen(rig: Rig, next: string): Promise<void> {
  if (next === "restart") await rig.restart();
  if (next === "pass") await anHour(rig);
  if (next === "idle") await rig.idle();
}

// Time enough to shrink what fails: a test that runs out of it would not say what it found.
it("keeps every invariant whatever happens in whatever order", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      const rig = await createRig({ script: SCRIPT });
      for (const { name, issue, next } of acts) {
        const event = ACTS[name]?.(rig, issue);
        if (event !== undefined) await rig.engine.handle(event);
        await happen(rig, next);
      }
      await anHour(rig);
      const active = await rig.store.records.find("agent", { state: "ACTIVE" });
      const unsettled = await rig.store.effects.find({ state: ["pending", "leased"] });
      const errors = rig.logged.filter(({ level }) => level === "error");
      await rig.close();
      expect({ active, unsettled, errors }).toEqual({ active: [], unsettled: [], errors: [] });
    }),
    { numRuns: ORDERS, examples: [[MERGED_LATE]] },
  );
});

it("comes to the same end in whatever order, and however often, things are told that do not concern each other", async () => {
  const facts: readonly ((rig: Rig) => DomainEvent)[] = [
    (rig) => closed(rig, 2, { delivery: "close" }),
    (rig) => said(rig, 3, "/flotilla answer The second.", { delivery: "answer" }),
    (rig) => labeled(rig, 1, { delivery: "label again" }),
    (rig) => labeled(rig, 4, { delivery: "label 4" }),
    (rig) => said(rig, 5, "@flotilla hello", { delivery: "talk" }),
  ];
  const told = fc
    .tuple(
      fc.shuffledSubarray([...facts.keys()], { minLength: facts.length }),
      fc.array(fc.constantFrom(...facts.keys()), { maxLength: 4 }),
    )
    .map(([order, again]) => [...order, ...again]);
  await fc.assert(
    fc.asyncProperty(told, fc.boolean(), async (order, slowly) => {
      const rig = await createRig({ script: [...SCRIPT, on(4, ...work)], issues: 5 });
      for (const issue of [1, 3]) await rig.engine.handle(labeled(rig, issue));
      await rig.idle();
      for (const index of order) {
        const event = facts[index]?.(rig);
        if (event !== undefined) await rig.engine.handle(event);
        if (slowly) await rig.idle();
      }
      await rig.idle();
      const agents = await rig.store.records.find("agent", {});
      const states = agents.map(({ name, state }) => `${name} ${state}`).toSorted();
      await rig.close();
      expect(states).toEqual([1, 3, 4].map((issue) => `feat-dev-issue-${issue} COMPLETED`));
      expect(rig.repository.pulls.size).toBe(3);
    }),
    { numRuns: 5 },
  );
});
