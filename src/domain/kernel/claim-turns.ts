import type { Tenant, Weights } from "../agents/fair-share.ts";

/** Turns that one of weight 1 takes before Flotilla looks whether others wait. */
const AT_A_TIME = 5;

type Counts<K> = ReadonlyMap<K, number>;

/**
 * The turns that owners, and the repositories of each, were given lately, divided by their weights. A claim leaves out who
 * had `AT_A_TIME`, until nobody else waits. Nobody is counted while there is room for all that waits.
 */
export interface GivenTurns {
  readonly owners: Counts<string>;
  readonly repositories: ReadonlyMap<string, Counts<number>>;
}

/** Whose rows a claim leaves out: those of all repositories of these owners, and those of these repositories. */
export interface LeftOut {
  readonly owners: readonly string[];
  readonly repositories: readonly number[];
}

export const NO_TURNS: GivenTurns = { owners: new Map(), repositories: new Map() };

/** Returns the turns after one more of the tenant. */
export function countTurn(given: GivenTurns, tenant: Tenant, weights: Weights): GivenTurns {
  const { owner, repositoryId } = tenant;
  const own = given.repositories.get(owner) ?? new Map<number, number>();
  return {
    owners: addTo(given.owners, owner, 1 / weights.owner(tenant)),
    repositories: new Map(given.repositories).set(
      owner,
      addTo(own, repositoryId, 1 / weights.repository(tenant)),
    ),
  };
}

/**
 * Returns whom the next claim leaves out; null for nobody. An owner of whom one repository alone had turns is left out by
 * that repository: one claim then finds what waits of its others and of other owners.
 */
export function leftOut(given: GivenTurns): LeftOut | null {
  const owners: string[] = [];
  const repositories: number[] = [];
  for (const [owner, own] of given.repositories) {
    const whole = hadEnough(given.owners.get(owner));
    repositories.push(...[...own].filter(([, turns]) => whole || hadEnough(turns)).map(([id]) => id));
    if (whole && own.size > 1) owners.push(owner);
  }
  return repositories.length === 0 ? null : { owners, repositories };
}

/**
 * Returns the turns once a claim has found that only those wait whom it left out: they get turns again, those first who
 * had the fewest. Nobody keeps turns for later.
 */
export function letIn(given: GivenTurns): GivenTurns {
  const within = [...given.repositories].filter(
    ([owner, own]) => !hadEnough(given.owners.get(owner)) && [...own.values()].some(hadEnough),
  );
  if (within.length > 0)
    return {
      ...given,
      repositories: new Map([
        ...given.repositories,
        ...within.map(([owner, own]) => [owner, lower(own)] as const),
      ]),
    };
  const owners = lower(given.owners);
  const repositories = [...given.repositories].flatMap(([owner, own]) => {
    const waitsAlone = own.size === 1 && !hadEnough(owners.get(owner));
    return waitsAlone ? [] : [[owner, own] as const];
  });
  return { owners, repositories: new Map(repositories) };
}

function hadEnough(turns: number | undefined): boolean {
  // A sum of parts, such as fifteen thirds, may fall short of its value by rounding.
  return (turns ?? 0) > AT_A_TIME - 1e-6;
}

function addTo<K>(counts: Counts<K>, key: K, turns: number): Counts<K> {
  return new Map(counts).set(key, (counts.get(key) ?? 0) + turns);
}

/** Takes from each what the one had who had the fewest of those who had enough. */
function lower<K>(counts: Counts<K>): Counts<K> {
  const least = Math.min(...[...counts.values()].filter(hadEnough));
  return new Map(
    [...counts].map(([key, turns]) => [key, turns - least] as const).filter(([, turns]) => turns > 1e-6),
  );
}
