import type { Redact } from "../../domain/access/redact.ts";
import { cleanValue } from "../../domain/messages/printable.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Worktrees } from "../../domain/ports/worktrees.ts";

/**
 * Wraps GitHub so that secrets are removed from every text of every call: titles, bodies, labels, branch
 * names, texts of checks and reviews.
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

/** Wraps worktrees so that secrets are removed from commit messages; the files are checked before a push. */
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
