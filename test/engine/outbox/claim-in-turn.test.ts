import { expect, it } from "vitest";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { EXECUTORS } from "../../../src/engine/executors.ts";
import { ClaimInTurn, claimingInTurn } from "../../../src/engine/outbox/claim-in-turn.ts";
import { Dispatcher } from "../../../src/engine/outbox/dispatcher.ts";
import { Drivers } from "../../../src/engine/sessions/drivers.ts";
import { createDeliveryConsumer } from "../../../src/webhooks/queue/delivery-consumer.ts";
import { delivery, effect } from "../../adapters/store/samples.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { CLAIMS } from "../../factories/leases.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { byHand } from "../../reach/record.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";

const FLOOD = REPOSITORY.id;
/** Of the same installation. */
const BESIDE = 8;
/** Of another installation. */
const QUIET = 9;
const AT_ONCE = { deliveries: 8, effects: 16 } as const;

const nothing = async () => undefined;

type What = keyof typeof AT_ONCE;

async function rigWith(weights: Partial<Settings["weights"]>): Promise<Rig> {
  const settings = { weights: { ...someSettings().weights, ...weights } };
  const rig = await aRig({ settings, watched: false });
  await rig.store.repositories.put(aRepository(REPOSITORY));
  for (const [id, owner] of [
    [BESIDE, REPOSITORY.owner],
    [QUIET, "quiet"],
  ] as const) {
    const repository = aRepository({ id, owner, name: `repository-${id}` });
    rig.github.add(repository);
    await rig.store.repositories.put(repository);
  }
  return rig;
}

/** Stores so many of each repository, each in a lane of its own. */
async function add(rig: Rig, what: What, repositoryId: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (what === "deliveries")
    await rig.store.deliveries.insert(
      numbers.map((issue) =>
        delivery({ guid: `${repositoryId}-${issue}`, repositoryId, lane: `${repositoryId}#${issue}` }),
      ),
    );
  else
    await rig.store.effects.add(
      numbers.map((issue) =>
        effect({
          key: `${repositoryId}-${issue}`,
          repositoryId,
          issue,
          lane: `issue:${repositoryId}#${issue}`,
        }),
      ),
    );
}

/** Handles what waits, at least so many; returns the repositories in order. Calls `onEach` with the number so far. */
async function handled(
  rig: Rig,
  what: What,
  {
    atLeast,
    onEach = async () => undefined,
    order = [],
  }: { atLeast: number; onEach?: (count: number) => Promise<void>; order?: number[] },
): Promise<readonly number[]> {
  const handle = async (repositoryId: number) => {
    order.push(repositoryId);
    await onEach(order.length);
    if (order.length >= atLeast) await stop();
  };
  const { run, stop } = what === "deliveries" ? inbox(rig, handle) : outbox(rig, handle);
  await run();
  return order;
}

interface Handling {
  readonly run: () => Promise<unknown>;
  /** Claims nothing more. */
  readonly stop: () => Promise<void>;
}

function inbox(rig: Rig, handle: (repositoryId: number) => Promise<void>): Handling {
  const turns = new ClaimInTurn(rig.store.repositories, rig.context.settings.weights);
  const consumer = createDeliveryConsumer({
    deliveries: claimingInTurn(rig.store.deliveries, turns),
    ...CLAIMS,
    receive: async ({ repositoryId }) => {
      await handle(repositoryId ?? 0);
      return { ignored: "seen" };
    },
    clock: rig.clock,
    log: rig.context.log,
    concurrency: AT_ONCE.deliveries,
  });
  return {
    run: () => consumer.tick(),
    stop: async () => {
      // It resolves when what runs has ended, as does the handler that calls this.
      void consumer.stop();
    },
  };
}

function outbox(rig: Rig, handle: (repositoryId: number) => Promise<void>): Handling {
  // The engine's own dispatcher takes nothing while nothing tells it that something changed.
  const context = { ...rig.context, changed: () => undefined };
  const drivers = new Drivers(context, {
    settled: nothing,
    toolsFor: () => [],
    rest: nothing,
    unwritten: () => undefined,
  });
  const worker = new Dispatcher(context, {
    executors: {
      ...EXECUTORS,
      add_labels: async ({ row }) => {
        await handle(row.repositoryId);
        return { result: null };
      },
    },
    drivers: () => drivers,
    onSettled: () => undefined,
  });
  return {
    run: () =>
      byHand(async () => {
        while ((await worker.tick()) > 0) await worker.idle();
      }),
    stop: async () => worker.stop(),
  };
}

const WHAT: readonly What[] = ["deliveries", "effects"];

it.each(WHAT)("what waits behind 500 %s of another repository comes next", async (what) => {
  const rig = await rigWith({});
  await add(rig, what, FLOOD, 500);
  for (const id of [BESIDE, QUIET]) await add(rig, what, id, 1);
  const order = await handled(rig, what, { atLeast: 40 });
  const places = [BESIDE, QUIET].map((id) => order.indexOf(id));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(AT_ONCE[what]);
  expect(Math.max(...places)).toBeLessThan(2 * AT_ONCE[what]);
});

it.each([
  ["deliveries", "recorded"],
  ["deliveries", "not recorded yet"],
  ["effects", "recorded"],
] as const)(
  "what waits behind %s of 200 repositories of one owner, %s, comes after a few",
  async (what, recorded) => {
    const rig = await rigWith({});
    for (let id = 1000; id < 1200; id += 1) {
      if (recorded === "recorded")
        await rig.store.repositories.put(aRepository({ id, owner: "many", name: `repository-${id}` }));
      await add(rig, what, id, 2);
    }
    await add(rig, what, QUIET, 1);
    const order = await handled(rig, what, { atLeast: 60 });
    expect(order.indexOf(QUIET)).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(QUIET)).toBeLessThan(2 * AT_ONCE[what]);
  },
);

it.each(WHAT)("what comes in the midst of a flood of %s comes after a few claims", async (what) => {
  const rig = await rigWith({});
  await add(rig, what, FLOOD, 500);
  const order: number[] = [];
  let before = 0;
  const onEach = async (count: number) => {
    if (count !== 80) return;
    await add(rig, what, QUIET, 1);
    before = order.length;
  };
  await handled(rig, what, { atLeast: 400, onEach, order });
  expect(order.indexOf(QUIET)).toBeGreaterThanOrEqual(80);
  // What was claimed meanwhile comes before it, and seven claims do not look for others after none were found.
  expect(order.indexOf(QUIET) - before).toBeLessThanOrEqual(9 * AT_ONCE[what]);
});

it("seldom looks for others while one repository alone has something to do", async () => {
  const rig = await rigWith({});
  const turns = new ClaimInTurn(rig.store.repositories, rig.context.settings.weights);
  let looks = 0;
  let waits = 800;
  const claim = async (limit: number, except: unknown) => {
    if (except !== null) looks += 1;
    const taken = except === null ? Math.min(limit, waits) : 0;
    waits -= taken;
    return Array.from({ length: taken }, () => ({ repositoryId: FLOOD }));
  };
  while ((await turns.claim(8, claim)).length > 0);
  expect(waits).toBe(0);
  expect(looks).toBeGreaterThan(5);
  expect(looks).toBeLessThan(20);
});

const OWN = `${REPOSITORY.owner}/${REPOSITORY.name}`;

it.each([
  ["deliveries", "installation", QUIET, { installations: { QUIET: 3 } }],
  ["effects", "installation", QUIET, { installations: { QUIET: 3 } }],
  ["deliveries", "repository", BESIDE, { repositories: { [OWN]: 1, [`${REPOSITORY.owner}/*`]: 3 } }],
  ["effects", "repository", BESIDE, { repositories: { [OWN]: 1, [`${REPOSITORY.owner}/*`]: 3 } }],
] as const)(
  "of two floods of %s, the %s of thrice the weight gets three times as much",
  async (what, _, other, weights) => {
    const rig = await rigWith(weights);
    await add(rig, what, FLOOD, 160);
    await add(rig, what, other, 160);
    const first = (await handled(rig, what, { atLeast: 160 })).slice(0, 160);
    const own = first.filter((id) => id === FLOOD).length;
    // What is claimed at once is not divided.
    expect(Math.abs(own - 40)).toBeLessThanOrEqual(AT_ONCE[what]);
  },
);
