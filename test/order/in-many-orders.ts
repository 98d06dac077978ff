import { expect } from "vitest";
import type { Replaying } from "../../src/cli/replay/decide-again.ts";
import { replayIssue } from "../../src/cli/replay/replay-issue.ts";
import type { Rig } from "../engine/rig.ts";
import { randomOf } from "../random.ts";
import { lifeOf } from "./life.ts";
import { live } from "./live.ts";
import type { Told } from "./lives.ts";

/** What was met in all orders of a life together. */
export interface Met {
  readonly orders: number;
  readonly webhooks: number;
  readonly again: number;
  readonly late: number;
}

/** Lives a recorded life as it was sent, then in as many other orders; each must come to the same. */
export async function inManyOrders(told: Told, orders: number): Promise<Met> {
  const life = lifeOf(told.name);
  const { end } = await live(life, told, "as sent", { after: replaysTheSame });
  expect(told.endedBy).toContain(end.reason);
  const met = { orders, webhooks: 0, again: 0, late: 0 };
  for (let seed = 1; seed <= orders; seed += 1) {
    const other = await live(life, told, randomOf(Math.imul(seed, 0x9e3779b1)));
    const ofSeed = `${told.name} in the order of seed ${seed}`;
    expect({ ofSeed, ...other.end.same }).toEqual({ ofSeed, ...end.same });
    expect(told.endedBy).toContain(other.end.reason);
    met.webhooks += other.arrived.webhooks;
    met.again += other.arrived.again;
    met.late += other.arrived.late;
  }
  return met;
}

export function summed(all: readonly Met[]): string {
  const sum = (of: (met: Met) => number): number => all.reduce((so, met) => so + of(met), 0);
  return `${sum(({ orders }) => orders)} orders of ${all.length} lives: ${sum(({ webhooks }) => webhooks)} webhooks, ${sum(({ again }) => again)} again, ${sum(({ late }) => late)} late, one end for each life`;
}

/** Each webhook of issue 1, decided again on what was known then, comes to what it came to. */
async function replaysTheSame({ store, context }: Rig): Promise<void> {
  const [repository] = await store.repositories.all();
  if (repository === undefined) throw new Error("no repository was heard of");
  const { settings, identity } = context;
  const knownBy: Replaying["knownBy"] = (_, guids) => store.deliveries.known(guids);
  const replaying = { settings, identity, repository, knownBy };
  const replayed = await replayIssue(store, replaying, 1, () => Promise.resolve(null));
  expect(replayed).toMatchObject({ differing: [], untold: [] });
  expect(replayed.deliveries).toBeGreaterThan(10);
}
