/** Whose work it is: the account that installed the App, and the repository. */
export interface Tenant {
  readonly owner: string;
  readonly repositoryId: number;
}

/** Returns the weight of an owner's share, or of a repository's within it. Greater than 0. */
export interface Weights {
  readonly owner: (tenant: Tenant) => number;
  readonly repository: (tenant: Tenant) => number;
}

/**
 * Virtual time of those who share: what each was given, divided by its weight. Holds only who is ahead of `now`; all
 * others begin there, so that nobody saves up turns while nothing of theirs waits.
 */
interface Level {
  readonly now: number;
  readonly ahead: ReadonlyMap<string, number>;
}

export interface Shares {
  readonly owners: Level;
  readonly repositories: ReadonlyMap<string, Level>;
}

const NOTHING: Level = { now: 0, ahead: new Map() };
export const NOTHING_GIVEN: Shares = { owners: NOTHING, repositories: new Map() };

/** Returns the shares after one turn of the tenant. */
export function giveTurn(shares: Shares, tenant: Tenant, weights: Weights): Shares {
  const { owner, repositoryId } = tenant;
  const within = shares.repositories.get(owner) ?? NOTHING;
  const given = giveOne(within, String(repositoryId), weights.repository(tenant));
  return {
    owners: giveOne(shares.owners, owner, weights.owner(tenant)),
    repositories: new Map(shares.repositories).set(owner, given),
  };
}

/**
 * Returns what waits in the order of its turns: the owner that was given least for its weight comes first, in it the
 * repository that was given least. The work of one repository keeps its order, and the oldest comes first among equals.
 */
export function* inTurn<T>(
  waiting: readonly T[],
  tenantOf: (one: T) => Tenant,
  weights: Weights,
  given: Shares,
): Iterable<T> {
  const queues = queuesOf(waiting, tenantOf);
  let shares = given;
  for (let left = waiting.length; left > 0; left -= 1) {
    const queue = firstQueue([...queues.values()], shares);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (queue.waiting.length === 0) queues.delete(queue.tenant.repositoryId);
    if (next !== undefined) yield next;
    shares = giveTurn(shares, queue.tenant, weights);
  }
}

interface Queue<T> {
  readonly tenant: Tenant;
  readonly waiting: T[];
}

function queuesOf<T>(waiting: readonly T[], tenantOf: (one: T) => Tenant): Map<number, Queue<T>> {
  const queues = new Map<number, Queue<T>>();
  for (const one of waiting) {
    const tenant = tenantOf(one);
    const queue = queues.get(tenant.repositoryId) ?? { tenant, waiting: [] };
    queue.waiting.push(one);
    queues.set(tenant.repositoryId, queue);
  }
  return queues;
}

function firstQueue<T>(queues: readonly Queue<T>[], shares: Shares): Queue<T> | undefined {
  const ofOwner = least(queues, ({ tenant }) => beginsAt(shares.owners, tenant.owner));
  const owner = ofOwner?.tenant.owner;
  if (owner === undefined) return undefined;
  const within = shares.repositories.get(owner) ?? NOTHING;
  const own = queues.filter(({ tenant }) => tenant.owner === owner);
  return least(own, ({ tenant }) => beginsAt(within, String(tenant.repositoryId)));
}

function least<T>(all: readonly T[], value: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (best, one) => (best === undefined || value(one) < value(best) ? one : best),
    undefined,
  );
}

function beginsAt({ now, ahead }: Level, key: string): number {
  return Math.max(now, ahead.get(key) ?? 0);
}

function giveOne(level: Level, key: string, weight: number): Level {
  const now = beginsAt(level, key);
  const ahead = [...level.ahead].filter(([other, end]) => other !== key && end > now);
  return { now, ahead: new Map([...ahead, [key, now + 1 / weight]]) };
}
