import { createHash } from "node:crypto";
import { labeled } from "../engine/people.ts";
import { personActs } from "./acts.ts";
import { Chance } from "./chance.ts";
import { Broken, checkAlways, checkAtEase, checkAtRest } from "./properties.ts";
import { createWorld, type Parts, type World } from "./world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What one run came to. The same seed and number of steps give the same, line for line. */
export interface Run {
  readonly seed: number;
  readonly failure: { readonly property: string; readonly detail: string } | null;
  /** What happened, in order. */
  readonly trace: readonly string[];
  /** SHA-256 of the trace. */
  readonly hash: string;
  readonly crashes: number;
  readonly faults: number;
}

/** What is broken on purpose, to see that a run notices: changes the parts before a process begins. */
export type Sabotage = (parts: Parts) => void;

/** Lives through `steps` moments of chance, then a day without faults. */
export async function simulate(seed: number, steps: number, sabotage?: Sabotage): Promise<Run> {
  const trace: string[] = [];
  const chance = new Chance(seed);
  const world = createWorld(chance, (line) => trace.push(line), sabotage);
  const webhooks: string[] = [];
  let failure: Run["failure"] = null;
  try {
    let last = 0;
    await begin(world);
    for (let step = 0; step < steps; step += 1) {
      await takeStep(world, webhooks);
      last = await checkAlways(world, last);
    }
    await comeToRest(world, webhooks);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    failure = { property: error instanceof Broken ? error.property : "the run comes to its end", detail };
  } finally {
    for (const row of await world.store.transitions.after(0, 100_000))
      trace.push(`${row.at} ${row.machine} ${row.recordId} ${row.event} ${row.from} ${row.to}`);
    world.process.life.over = true;
  }
  return {
    seed,
    failure,
    trace,
    hash: createHash("sha256").update(trace.join("\n")).digest("hex"),
    crashes: trace.filter((line) => line.startsWith("kill -9")).length,
    faults: trace.filter((line) => /^ {2}(refused|lost):/.test(line)).length,
  };
}

/** Two issues get agents before chance sets in. */
async function begin(world: World): Promise<void> {
  await settle(world);
  for (const issue of [1]) {
    const told = labeled(world, issue);
    world.told.set(told.delivery, told);
    await arrives(world, told.delivery);
  }
  await world.turns.quiet();
}

type Step = (world: World, webhooks: string[]) => Promise<void>;

const STEPS: readonly (readonly [times: number, step: Step])[] = [
  [50, release],
  [12, act],
  [12, deliver],
  [14, passTime],
  [2, tick],
  [3, kill],
];

async function takeStep(world: World, webhooks: string[]): Promise<void> {
  await world.chance.among(STEPS)(world, webhooks);
  await world.turns.quiet();
  if (world.process.failed) await kill(world);
}

/** Some of what waits goes, one after the other, each at the end of all that the one before it set going. */
async function release({ turns, chance, note }: World): Promise<void> {
  for (let left = 1 + chance.below(24); left > 0 && turns.waiting.length > 0; left -= 1) {
    const one = chance.one(turns.waiting);
    note(`go: ${one.name}`);
    turns.release(one);
    await turns.quiet();
  }
}

async function act(world: World, webhooks: string[]): Promise<void> {
  const { told, about } = personActs(world);
  const guid = told.delivery;
  world.told.set(guid, told);
  webhooks.push(guid);
  // GitHub may send it again, though it arrived.
  if (world.chance.happens(0.15)) webhooks.push(guid);
  world.note(`${told.actor.login} on #${about}: ${told.type} as ${guid}`);
}

/** Any of those under way arrives, in whatever order they were sent. */
async function deliver(world: World, webhooks: string[]): Promise<void> {
  const guid = webhooks.splice(world.chance.below(webhooks.length), 1)[0];
  if (guid !== undefined) await arrives(world, guid);
}

async function arrives({ told, store, clock, process, note }: World, guid: string): Promise<void> {
  const event = told.get(guid);
  if (event === undefined) return;
  const about = "issue" in event ? event.issue.number : null;
  note(`arrives: ${guid}`);
  await store.deliveries.insert([
    {
      guid,
      event: event.type,
      action: null,
      installationId: null,
      repositoryId: event.repository.id,
      lane: about === null ? "7" : `7#${about}`,
      payload: "{}",
      receivedAt: clock.now(),
    },
  ]);
  if (process.ready) process.consumer.poke();
}

/** No call waits longer for its answer; one of the database waits no time at all. */
const LONGEST_CALL = 40 * SECOND;
/** Rounds are seconds apart in truth; so long apart nothing is seen late. */
const ROUND = MINUTE;

async function passTime(world: World): Promise<void> {
  const ms = world.chance.among([
    [4, SECOND],
    [4, 10 * SECOND],
    [3, MINUTE],
    [3, 4 * MINUTE],
    [2, HOUR],
  ]);
  if (ms === HOUR) return leap(world, ms);
  for (let left = ms; left > 0; left -= ROUND) await round(world, Math.min(left, ROUND));
}

/** A long time goes by in one leap only while nobody is at work. */
async function leap(world: World, ms: number): Promise<void> {
  await settle(world);
  const atWork = await world.store.records.find("agent", { state: "ACTIVE" });
  await round(world, atWork.length > 0 ? ROUND : ms);
}

async function round(world: World, ms: number): Promise<void> {
  const { clock, turns, note } = world;
  note(`${ms} ms pass`);
  const late = turns.waiting.filter(
    ({ name, since }) => name.includes("store.") || clock.now() + ms - since > LONGEST_CALL,
  );
  for (const one of late) turns.release(one);
  await turns.quiet();
  clock.advance(ms);
  await tick(world);
  await turns.quiet();
}

/** As the timer of the process does. */
async function tick({ process, turns, note }: World): Promise<void> {
  if (!process.ready) return;
  note("tick");
  turns.noticed();
  process.consumer.poke();
  process.engine.tick().catch((error: unknown) => note(`  a round failed: ${String(error)}`));
}

async function kill(world: World): Promise<void> {
  world.note("kill -9");
  world.crash();
}

/** The faults stop, all that was sent arrives at last, and time passes until nothing can be left to do. */
async function comeToRest(world: World, webhooks: string[]): Promise<void> {
  world.faults = 0;
  world.note("the faults stop");
  if (world.process.failed) await kill(world);
  while (webhooks.length > 0) await deliver(world, webhooks);
  let last = 0;
  let leaps = 0;
  let before = 0;
  for (let rounds = 0; ; rounds += 1) {
    await settle(world);
    last = await checkAlways(world, last);
    const isBusy = await underWay(world);
    // Nothing has moved in a leap: what is left, nobody sets going.
    if (!isBusy && last === before) await checkAtEase(world);
    before = last;
    if (!isBusy && leaps === LEAPS.length) break;
    if (rounds === LONGEST_REST)
      throw new Broken("the run comes to rest", "there is always something more to do");
    await round(world, isBusy ? BUSY_ROUND : (LEAPS[leaps] ?? 0));
    leaps += isBusy ? 0 : 1;
  }
  await checkAtRest(world);
}

/** The first is longer than most pauses, the others than any sleep may be. */
const LEAPS = [HOUR, 9 * HOUR, 9 * HOUR];
/** Shorter than a lease. */
const BUSY_ROUND = 4 * MINUTE;
/** More rounds than all limits together allow. */
const LONGEST_REST = 200;

async function underWay({ store }: World): Promise<boolean> {
  const active = await store.records.find("agent", { state: "ACTIVE" });
  const unsettled = await store.effects.find({ state: ["pending", "leased"] });
  return active.length + unsettled.length > 0;
}

/** Everything that waits goes, and what that sets going, until nothing waits. */
async function settle({ turns }: World): Promise<void> {
  await turns.quiet();
  while (turns.waiting.length > 0) {
    for (const one of turns.waiting) turns.release(one);
    await turns.quiet();
  }
}
