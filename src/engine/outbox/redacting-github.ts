import type { Redact } from "../../domain/access/redact.ts";
import { cleanValue } from "../../domain/messages/printable.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Worktrees } from "../../domain/ports/worktrees.ts";

/**
 * GitHub, with secrets taken out of every text that any of its calls is given: titles, bodies, labels, names of branches,
 * texts of checks and reviews, and whatever a later call may be given.
 */
export function redactingGitHub(github: GitHub, redact: Redact): GitHub {
  return new Proxy(github, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: readonly unknown[]): unknown =>
        Reflect.apply(member, target, cleanValue(given, redact));
    },
  });
}

/** Worktrees, with secrets taken out of what a commit says; what is in its files is looked at before it is pushed. */
export function redactingCommits(worktrees: Worktrees, redact: Redact): Worktrees {
  return new Proxy(worktrees, {
    get(target, name) {
      if (name === "commit") {
        const commit: Worktrees["commit"] = (ref, options) => target.commit(ref, cleanValue(options, redact));
        return commit;
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
