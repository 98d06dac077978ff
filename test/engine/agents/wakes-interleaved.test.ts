import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isLive } from "../../../src/domain/agents/agent-record.ts";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { MINUTE } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, answersTo, toldTo } from "../look.ts";
import { ON_POSTGRES, turn } from "../on-postgres.ts";
import { closed, labeled, said } from "../people.ts";
import { createRig, type Rig } from "../rig.ts";
import { blocked, call, edit, on, slowly, together, work } from "../scripts.ts";

const BLOCKERS = [2, 3, 4];

/** Of up to 24 acts each; on a server each takes half a minute. */
const LIVES = ON_POSTGRES ? 3 : 10;

/** More minutes than an agent sleeps after as many failures as it may have. */
const PAUSES = 10;

/** Thinks for a minute before it finds the next blocker; a blocker that is closed by then is refused, and it continues. */
const SCRIPT = [
  on(
    1,
    ...BLOCKERS.flatMap((issue) => [
      slowly(MINUTE, together(edit(`${issue}.ts`), call("check_for_events"))),
      blocked(issue),
    ]),
    ...work,
    ...work,
  ),
];

/**
 * `close`: the next blocker is closed, `say`: a person speaks, `think`: a minute passes, `settle`: all that follows
 * happens, `turn`: a little of it, `die`: the host is killed at the n-th call of a port from here on.
 */
const act = fc.record({
  name: fc.constantFrom("close", "close", "say", "say", "say", "think", "think", "settle", "turn", "die"),
  n: fc.integer({ min: 1, max: 50 }),
});

async function play(acts: readonly { readonly name: string; readonly n: number }[]) {
  const rig = await createRig({
    script: SCRIPT,
    issues: 4,
    settings: limitsOf({ maxIterations: 100, maxTurns: 100 }),
  });
  let deaths = 0;
  let gone = Promise.withResolvers<void>();
  /** Again after a death, as the inbox and the next process would. */
  const surely = async (step: () => Promise<unknown>): Promise<void> => {
    await Promise.race([step(), gone.promise]);
    if (!rig.life.over) return;
    gone = Promise.withResolvers();
    rig.onCall = () => {};
    await rig.restart();
    await step();
  };
  const tell = (event: DomainEvent) => surely(() => rig.engine.handle(event));
  const think = () =>
    surely(async () => {
      rig.clock.advance(MINUTE);
      await rig.engine.tick();
    });
  const die = (at: number): void => {
    let left = at;
    rig.onCall = () => {
      left -= 1;
      if (left !== 0) return;
      deaths += 1;
      rig.life.end();
      gone.resolve();
    };
  };
  const open = [...BLOCKERS];
  const notes: string[] = [];
  let spoken = 0;
  const happen: Readonly<Record<string, (n: number) => Promise<void>>> = {
    close: async () => {
      const issue = open.shift();
      if (issue !== undefined) await tell(closed(rig, issue));
    },
    say: async () => {
      const note = `note ${(spoken += 1)}.`;
      await tell(said(rig, 1, `@flotilla ${note}`));
      // Nobody reads what is said to one that has ended.
      if (isLive(await agentOf(rig))) notes.push(note);
    },
    think,
    settle: () => surely(() => settle(rig)),
    turn: (n) => surely(() => someTurns(n)),
    die: async (n) => die(n),
  };
  await tell(labeled(rig, 1));
  for (const { name, n } of acts) await happen[name]?.(n);
  rig.onCall = () => {};
  for (const issue of open) await tell(closed(rig, issue));
  // One that sleeps after a failure wakes, and thinks for minutes again.
  for (let pause = 0; pause < PAUSES; pause += 1) {
    await settle(rig);
    rig.clock.advance(MINUTE);
    await rig.engine.tick();
  }
  await settle(rig);
  return { rig, notes, deaths };
}

/** Minutes pass until nothing is under way. */
async function settle(rig: Rig): Promise<void> {
  const idle = rig.engine.idle().then(() => true);
  const minute = async () => {
    await someTurns(30);
    rig.clock.advance(MINUTE);
    await rig.engine.tick();
    return false;
  };
  for (let passed = 0; passed < 60; passed += 1) if (await Promise.race([idle, minute()])) return;
}

async function someTurns(turns: number): Promise<void> {
  for (let taken = 0; taken < turns; taken += 1) await turn();
}

async function outcome(rig: Rig) {
  const agent = await agentOf(rig);
  const moves = await rig.store.transitions.ofAgent(agent.id);
  const delivered = await rig.store.wakes.delivered(agent.id, 1000);
  return {
    state: agent.state,
    pending: await rig.store.wakes.pending(agent.id),
    wakes: moves.filter(
      ({ machine, event, to }) => machine === "agent" && event === "WAKE" && to === "ACTIVE",
    ).length,
    delivered,
    read: [...toldTo(rig), ...answersTo(rig)],
  };
}

it("loses no wake and no message, and tells none twice but what an interruption left unanswered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async (acts) => {
      const { rig, notes, deaths } = await play(acts);
      const { state, pending, wakes, delivered, read } = await outcome(rig);
      await rig.close();
      expect({ state, pending }).toEqual({ state: "COMPLETED", pending: [] });
      // A period begins for a wake of its own.
      expect(wakes).toBeLessThanOrEqual(delivered.length);
      for (const blocker of BLOCKERS) {
        const about = delivered.filter(
          ({ reason, detail }) => reason === "blocker" && detail.includes(`#${blocker} `),
        );
        expect(about.length).toBeLessThanOrEqual(1);
      }
      const cutOff = deaths + delivered.filter(({ reason }) => reason === "retry").length;
      const times = notes.map((note) => read.filter((text) => text.includes(note)).length);
      expect(times.filter((told) => told === 0 || told > 1 + cutOff)).toEqual([]);
    }),
    { numRuns: LIVES },
  );
});
