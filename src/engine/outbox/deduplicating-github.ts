import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { GitHub } from "../../domain/ports/github.ts";

/**
 * GitHub as an effect is given it: what it makes is not made again before the lists show what its last try may have made.
 * No effect need think of it, so none can forget.
 */
export function deduplicatingGitHub(github: GitHub, { lagsUntil }: Pick<EffectRow, "lagsUntil">): GitHub {
  const once: Pick<GitHub, "putComment" | "createIssue" | "openPullRequest" | "writeReview" | "putCheck"> = {
    putComment: (to, number, comment) => github.putComment(to, number, { ...comment, lagsUntil }),
    createIssue: (to, issue) => github.createIssue(to, { ...issue, lagsUntil }),
    openPullRequest: (to, pull) => github.openPullRequest(to, { ...pull, lagsUntil }),
    writeReview: (to, pull, review) => github.writeReview(to, pull, { ...review, lagsUntil }),
    putCheck: (to, check) => github.putCheck(to, { ...check, lagsUntil }),
  };
  return new Proxy(github, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(once, name) ? once : target, name),
  });
}
