import { createHash } from "node:crypto";
import { LEASE_MS } from "../../src/domain/recovery/node.ts";
import { labeled } from "../engine/people.ts";
import { personActs } from "./acts.ts";
import { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import { Broken, checkAlways, checkAtEase, checkAtRest } from "./properties.ts";
import { ROUNDS_WITHOUT_CALLS, type Waiting } from "./turns.ts";
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
  /** How often a process was stopped for longer than its node's lease, and went on. */
  readonly pauses: number;
  /** How many of them ended just when another machine had begun with what that one was at. */
  readonly overtaken: number;
}

/** What is broken on purpose, to see that a run notices: changes the parts before a process begins. */
type Sabotage = (parts: Parts) => void;

export interface RunOptions {
  /** Machines on one database; one when left out. */
  readonly engines?: number;
  readonly sabotage?: Sabotage;
}

/** Lives through `steps` moments of chance, then a day without faults. */
export async function simulate(
  seed: number,
  steps: number,
  { engines = 1, sabotage = () => {} }: RunOptions = {},
): Promise<Run> {
  const trace: string[] = [];
  const chance = new Chance(seed);
  const world = createWorld(chance, { engines, note: (line) => trace.push(line), sabotage });
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
    for (const { process } of world.machines) if (process !== undefined) process.life.over = true;
  }
  return {
    seed,
    failure,
    trace,
    hash: createHash("sha256").update(trace.join("\n")).digest("hex"),
    crashes: trace.filter((line) => line.startsWith("kill -9")).length,
    faults: trace.filter((line) => /^ {2}(refused|lost):/.test(line)).length,
    pauses: world.pauses,
    overtaken: trace.filter((line) => line.startsWith("  another has what")).length,
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
  [50, releaseSome],
  [12, act],
  [12, deliver],
  [14, passTime],
  [2, tick],
  [3, kill],
];

/** What else happens where several machines use the database. */
const STEPS_OF_SEVERAL: typeof STEPS = [...STEPS, [3, stop], [3, lose], [3, comeBack]];

async function takeStep(world: World, webhooks: string[]): Promise<void> {
  await world.chance.among(world.machines.length > 1 ? STEPS_OF_SEVERAL : STEPS)(world, webhooks);
  await world.turns.quiet();
  startAgain(world);
}

/** A process that could not start is begun again, as its supervisor does. */
function startAgain(world: World): void {
  for (const machine of world.machines) if (machine.process?.failed === true) killAndBegin(world, machine);
}

/** Some of what waits goes. */
async function releaseSome(world: World): Promise<void> {
  const most = world.machines.length > 1 ? 96 : 24;
  await release(world, () => true, 1 + world.chance.below(most));
}

/** What waits goes, one after the other in an order of chance, each at the end of all that the one before it set going. */
async function release(world: World, which: (one: Waiting) => boolean, count = MOST_CALLS): Promise<void> {
  const { turns, chance, note } = world;
  for (let left = count; ; left -= 1) {
    const those = turns.waiting.filter(which);
    if (left === 0 || those.length === 0) return;
    const one = chance.one(those);
    note(`go: ${one.name} of ${one.machine}`);
    turns.release(one);
    await turns.quiet();
    await goOnInTime(world);
  }
}

/** More calls than follow from anything. */
const MOST_CALLS = 20_000;

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

async function arrives({ told, store, clock, machines, note }: World, guid: string): Promise<void> {
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
  for (const { process } of machines) if (process?.ready === true) process.consumer.poke();
}

/** No call waits longer for its answer; one of the database waits no time at all. */
const LONGEST_CALL = 40 * SECOND;
/** Rounds are seconds apart in truth; so long apart nothing is seen late. */
const ROUND = MINUTE;

/** What nodes renew their leases between. */
const ROUND_OF_SEVERAL = 4 * SECOND;

async function passTime(world: World): Promise<void> {
  const several = world.machines.length > 1;
  const ms = world.chance.among([
    [4, SECOND],
    [4, 10 * SECOND],
    [3, several ? 20 * SECOND : MINUTE],
    [3, several ? 40 * SECOND : 4 * MINUTE],
    [2, HOUR],
  ]);
  if (ms === HOUR) return leap(world, ms);
  const most = several ? ROUND_OF_SEVERAL : ROUND;
  for (let left = ms; left > 0; left -= most) await round(world, Math.min(left, most));
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
  await release(
    world,
    ({ name, since }) => name.includes("store.") || clock.now() + ms - since > LONGEST_CALL,
  );
  clock.advance(ms);
  await goOnInTime(world);
  await tick(world);
  await turns.quiet();
}

/** As the timers of the processes do. */
async function tick({ machines, turns, note }: World): Promise<void> {
  for (const { name, process, heldUntil } of machines) {
    if (process?.ready !== true || heldUntil !== null) continue;
    note(`tick of ${name}`);
    turns.noticed();
    process.consumer.poke();
    process.engine.tick().catch((error: unknown) => note(`  a round failed: ${String(error)}`));
  }
}

/** Those that are up and go on. */
const going = ({ machines }: World): readonly Machine[] =>
  machines.filter(({ process, heldUntil }) => process !== undefined && heldUntil === null);

async function kill(world: World): Promise<void> {
  killAndBegin(world, world.chance.one(world.machines.filter(({ process }) => process !== undefined)));
}

function killAndBegin(world: World, machine: Machine): void {
  world.note(`kill -9 on ${machine.name}`);
  world.crash(machine);
  world.begin(machine);
}

/** One of several is killed, and does not begin again so soon. */
async function lose(world: World): Promise<void> {
  const [one, ...others] = world.chance.shuffled(going(world));
  if (one === undefined || others.length === 0) return;
  world.note(`kill -9 on ${one.name}, which stays down`);
  world.crash(one);
}

async function comeBack(world: World): Promise<void> {
  const down = world.machines.find(({ process }) => process === undefined);
  if (down === undefined) return;
  world.note(`${down.name} is up again`);
  world.begin(down);
}

/** One of several stops for longer than its node's lease, where it can in the middle of something; the others go on. */
async function stop(world: World): Promise<void> {
  const { chance, clock, leases, note } = world;
  const [first, ...others] = chance.shuffled(going(world));
  if (first === undefined || others.length === 0) return;
  const one = [first, ...others].find(({ name }) => leases.isAtWork(name)) ?? first;
  note(`${one.name} stops`);
  one.heldUntil = clock.now() + LEASE_MS * chance.one([1.5, 4, 9]);
}

/** Those whose time it is go on, and with them what was due meanwhile. */
async function goOnInTime(world: World): Promise<void> {
  const { clock, turns } = world;
  const due = world.machines.filter(({ heldUntil }) => heldUntil !== null && clock.now() >= heldUntil);
  for (const machine of due) goOn(world, machine);
  if (due.length > 0) await turns.quiet();
}

function goOn(world: World, machine: Machine): void {
  world.note(`${machine.name} goes on`);
  world.pauses += 1;
  machine.goOn();
}

/** The faults stop, all that was sent arrives at last, and time passes until nothing can be left to do. */
async function comeToRest(world: World, webhooks: string[]): Promise<void> {
  world.faults = 0;
  world.note("the faults stop");
  for (const machine of world.machines) {
    // A machine may be lost for good.
    if (machine.process === undefined && world.chance.happens(0.5)) world.begin(machine);
  }
  await world.turns.quiet();
  startAgain(world);
  while (webhooks.length > 0) await deliver(world, webhooks);
  while (world.machines.some(({ heldUntil }) => heldUntil !== null)) await round(world, ROUND_OF_SEVERAL);
  let last = 0;
  let leaps = 0;
  let before = 0;
  for (let rounds = 0; ; rounds += 1) {
    await settle(world);
    last = await checkAlways(world, last);
    const isBusy = (await underWay(world)).length > 0;
    // Nothing has moved in a leap: what is left, nobody sets going.
    if (!isBusy && last === before) await checkAtEase(world);
    before = last;
    if (!isBusy && leaps === LEAPS.length) break;
    if (rounds === LONGEST_REST)
      throw new Broken("the run comes to rest", { "never done": await underWay(world) });
    await round(world, isBusy ? BUSY_ROUND : (LEAPS[leaps] ?? 0));
    await renewForLease(world);
    leaps += isBusy ? 0 : 1;
  }
  await checkAtRest(world);
}

/** Nodes that were all away for so long judge others only once they have renewed for a lease. */
async function renewForLease(world: World): Promise<void> {
  if (world.machines.length === 1) return;
  for (let left = LEASE_MS; left >= 0; left -= ROUND_OF_SEVERAL) await round(world, ROUND_OF_SEVERAL);
}

/** The first is longer than most pauses, the others than any sleep may be. */
const LEAPS = [HOUR, 9 * HOUR, 9 * HOUR];
/** Shorter than a lease. */
const BUSY_ROUND = 4 * MINUTE;
/** More rounds than all limits together allow. */
const LONGEST_REST = 200;

/** What is at work, and what is still to be done outside. */
async function underWay({ store }: World): Promise<readonly unknown[]> {
  const active = await store.records.find("agent", { state: "ACTIVE" });
  const unsettled = await store.effects.find({ state: ["pending", "leased"] });
  return [
    ...active.map(({ name, node }) => ({ name, node })),
    ...unsettled.map(({ key, kind, state, error, notBefore, agentId }) => ({
      key,
      kind,
      state,
      error,
      notBefore,
      agentId,
    })),
  ];
}

/** Everything that waits goes, and what that sets going, until nothing waits. */
async function settle(world: World): Promise<void> {
  do {
    await release(world, () => true);
    await world.turns.quiet(ROUNDS_WITHOUT_CALLS);
  } while (world.turns.waiting.length > 0);
}
