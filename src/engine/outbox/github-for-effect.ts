import type { Level } from "../../domain/access/level.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { guardedByLevel } from "./level-guard.ts";

/** One try of an effect. */
interface Try {
  readonly row: Pick<EffectRow, "kind" | "lagsUntil">;
  readonly level: Level;
  /** When the try's time is over, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Returns GitHub and git for one try of an effect. A call passes these layers in order:
 *
 * 1. level: a write that the level does not allow throws `Withheld` (`level-guard.ts`);
 * 2. deadline: no call begins after the try's time is over;
 * 3. lag: a creation waits while GitHub's lists may not show an earlier one;
 * 4. redaction: secrets are removed from texts, for the whole engine (`redacting-github.ts`);
 * 5. recording: a delivery's answers are kept for replay (`server/response-recorder.ts`).
 */
export function githubForEffect(
  { github, worktrees, clock }: Pick<EngineContext, "github" | "worktrees" | "clock">,
  { row, level, until }: Try,
): Pick<EngineContext, "github" | "worktrees"> {
  const inTime = {
    github: withDeadline(withLag(github, row), clock, until),
    worktrees: withDeadline(worktrees, clock, until),
  };
  return guardedByLevel(inTime, level, row.kind);
}

/** Stops calls after the deadline: the next try may be running, and this one would repeat its work. */
function withDeadline<T extends object>(port: T, clock: Pick<Clock, "now">, until: number): T {
  return new Proxy(port, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown =>
        clock.now() < until
          ? Reflect.apply(value, target, given)
          : Promise.reject(
              new OutsideError("time_limit", `${String(name)} was not begun: the time of this try is over`, {
                consequence: "retry",
              }),
            );
    },
  });
}

/**
 * Delays a creation until GitHub's lists would show what the last try may have created. Applies to every
 * effect, so that no executor can forget it.
 */
function withLag(github: GitHub, { lagsUntil }: Pick<EffectRow, "lagsUntil">): GitHub {
  const making: Pick<GitHub, "putComment" | "createIssue" | "openPullRequest" | "writeReview" | "putCheck"> =
    {
      putComment: (to, number, comment) => github.putComment(to, number, { ...comment, lagsUntil }),
      createIssue: (to, issue) => github.createIssue(to, { ...issue, lagsUntil }),
      openPullRequest: (to, pull) => github.openPullRequest(to, { ...pull, lagsUntil }),
      writeReview: (to, pull, review) => github.writeReview(to, pull, { ...review, lagsUntil }),
      putCheck: (to, check) => github.putCheck(to, { ...check, lagsUntil }),
    };
  return new Proxy(github, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(making, name) ? making : target, name),
  });
}
