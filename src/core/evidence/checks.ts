import type { CommitCheck } from "../ports/github.ts";
import type { Missing } from "./missing.ts";

/** How the required checks of a commit stand. */
export interface ChecksVerdict {
  readonly failed: readonly Extract<Missing, { kind: "check_failed" }>[];
  /** Names that are neither green nor red, those that have not appeared too. */
  readonly pending: readonly string[];
}

/** A name is green when all that goes by it is; one red one is enough against it. */
export function judgeChecks(required: readonly string[], checks: readonly CommitCheck[]): ChecksVerdict {
  const failed: ChecksVerdict["failed"][number][] = [];
  const pending: string[] = [];
  for (const name of new Set(required)) {
    const named = checks.filter((check) => check.name === name);
    const red = named.find(({ state }) => state === "red");
    if (red !== undefined) failed.push({ kind: "check_failed", check: name, conclusion: red.conclusion });
    else if (named.length === 0 || named.some(({ state }) => state === "pending")) pending.push(name);
  }
  return { failed, pending };
}
