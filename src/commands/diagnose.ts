import { messageOf, OutsideError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { Tables } from "../core/ports/store.ts";
import { NOTHING } from "../core/reaction.ts";
import { fullName } from "../core/repository.ts";
import { withinLimits } from "../core/repository-limits.ts";
import type { Violation } from "../store/invariants.ts";

/** Something that an operator should know or put right. */
export interface Finding {
  /** `database`, `GitHub`, or the full name of a repository. */
  readonly about: string;
  readonly what: string;
  readonly next: string;
}

/**
 * What is wrong or not supported where Flotilla works: broken rules of the lifecycles, an App that GitHub does not take,
 * and what each known repository asks for that agents cannot do. Changes nothing; `now` in milliseconds since the epoch.
 */
export async function diagnose(
  store: Pick<Tables, "repositories"> & { checkInvariants(now: number): Promise<readonly Violation[]> },
  github: Pick<GitHub, "identity" | "repositoryLimits">,
  now: number,
): Promise<readonly Finding[]> {
  const broken = (await store.checkInvariants(now)).map(({ rule, table, ids }) => ({
    about: "database",
    what: `the rule ${rule} is broken by ${table} ${ids.join(", ")}`,
    next: "report it with `flotilla explain` of the issues concerned; nothing is changed by itself",
  }));
  const refused = await failureOf("GitHub", github.identity());
  if (refused !== null) return [...broken, refused];
  const limits = await Promise.all(
    (await store.repositories.all()).map(async (repository) => {
      const about = fullName(repository);
      const { defaultBranch } = repository;
      const asked = github.repositoryLimits(repository, defaultBranch);
      const failed = await failureOf(about, asked);
      if (failed !== null) return [failed];
      const { decisions } = withinLimits(NOTHING, await asked, defaultBranch);
      return decisions.map(({ reason, change }) => ({ about, what: reason, next: change ?? "" }));
    }),
  );
  return [...broken, ...limits.flat()];
}

async function failureOf(about: string, asked: Promise<unknown>): Promise<Finding | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { about, what: messageOf(error), next: error.advice ?? "try again later" };
  }
}
