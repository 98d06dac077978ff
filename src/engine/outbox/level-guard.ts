import {
  atLevel,
  firstLevelFor,
  goesAsFarAs,
  keepsWork,
  type Level,
  Withheld,
} from "../../domain/access/level.ts";
import { levelIn, levelOfIssue } from "../../domain/access/level-of.ts";
import { GIT_CALLS, GITHUB_CALLS } from "../../domain/access/level-of-call.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { EffectRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Ports = Pick<EngineContext, "github" | "worktrees">;

/**
 * Returns the issue's current level; 0 means none. Throws `GitHubError` where its labels matter and cannot be
 * read.
 */
export async function levelOn(
  { settings, github }: Pick<EngineContext, "settings" | "github">,
  repository: RepositoryRow,
  issue: number,
): Promise<Level> {
  const name = fullName(repository);
  if (issue === 0 || Object.keys(settings.levels.labels).length === 0) return levelIn(settings, name);
  try {
    const { labels } = await github.issue(repository, issue);
    return levelOfIssue(settings, name, labels);
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return levelIn(settings, name);
    throw error;
  }
}

/**
 * Returns the level for an effect. A kind that writes nothing does not wait for GitHub: it runs at the level
 * that lets nothing out.
 */
export async function levelFor(
  context: Pick<EngineContext, "settings" | "github">,
  repository: RepositoryRow,
  { kind, issue }: Pick<EffectRow, "kind" | "issue">,
): Promise<Level> {
  try {
    return await levelOn(context, repository, issue);
  } catch (error) {
    if (firstLevelFor(kind) === "observe") return "observe";
    throw error;
  }
}

/**
 * Wraps GitHub and git for an effect: a write beyond the level throws `Withheld` with what it would have
 * written, and a checkpoint stays on this machine where the level says so. An effect has no other access.
 */
export function guardedByLevel({ github, worktrees }: Ports, level: Level, kind: EffectRow["kind"]): Ports {
  const closed = atLevel(level, kind) === "withheld";
  const stops = (first: Level | null | undefined): boolean =>
    first !== null && first !== undefined && (closed || !goesAsFarAs(level, first));
  const stopping = <T extends object>(port: T, calls: Readonly<Record<string, Level | null>>): T =>
    new Proxy(port, {
      get(target, name): unknown {
        if (typeof name !== "string" || !stops(calls[name])) return Reflect.get(target, name);
        return async (_: unknown, ...given: readonly unknown[]): Promise<never> => {
          throw new Withheld(level, { name, with: given });
        };
      },
    });
  const checkpoint: typeof worktrees.checkpoint = (ref, options) =>
    worktrees.checkpoint(ref, keepsWork(level) ? { push: false } : options);
  return {
    github: stopping(github, GITHUB_CALLS),
    worktrees: new Proxy(stopping(worktrees, GIT_CALLS), {
      get: (target, name): unknown => (name === "checkpoint" ? checkpoint : Reflect.get(target, name)),
    }),
  };
}
