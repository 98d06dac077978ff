import type { GitHubError } from "../../src/domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../src/domain/kernel/repository.ts";
import { withMarker } from "../../src/domain/messages/marker.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { GitHub, GitHubIssue, RelatedIssue } from "../../src/domain/ports/github.ts";
import type { GitHubRoom, GitHubWork } from "../../src/domain/ports/github-app.ts";
import { found, newest } from "./fake-newest.ts";
import { fakeRepository } from "./fake-repository.ts";
import { createFakeChecks } from "./github-checks.ts";
import { createFakeFiles } from "./github-files.ts";
import { createFakeLag, refuseUnseen } from "./github-lag.ts";
import { byMarker, MAC, notFound, refused } from "./github-markers.ts";
import { createFakeMerging } from "./github-merging.ts";
import { createFakeProposing } from "./github-proposing.ts";
import { createFakePullBodies } from "./github-pull-bodies.ts";
import { createFakeSigning } from "./github-signing.ts";
import { createFakeSubIssues } from "./github-sub-issues.ts";
import { putCheck, writeReview } from "./github-verdicts.ts";
import { addComment, addIssue, addPull, BOT, type FakeRepository } from "./github-world.ts";

/** The GitHub port in memory. It passes the same contract tests as the real adapter. */
export interface FakeGitHub extends GitHub {
  /** Adds a repository; unknown ones are not found. */
  add(ref: RepositoryRef): FakeRepository;
  /** Makes the next call of the method throw the error, before it does anything or after it has done everything. */
  failNext(method: keyof GitHub, error: GitHubError, when: "before" | "after"): void;
  /** The writes that changed something, in order: method and subject. */
  readonly writes: readonly string[];
  /** What GitHub's limits leave to all: until when there is no room for an agent that would start or wake. */
  readonly room: GitHubRoom & Record<GitHubWork, number | null>;
}

export function createFakeGitHub(options: {
  clock: Clock;
  /** The labels that are created if missing: name to colour. */
  labels: Readonly<Record<string, string>>;
  /** How long a list does not show new items. Default: 0. */
  lagMs?: number;
}): FakeGitHub {
  const lag = createFakeLag(options);
  const repositories = new Map<number, FakeRepository>();
  const failures: { method: keyof GitHub; error: GitHubError; when: "before" | "after" }[] = [];
  const writes: string[] = [];

  const at = ({ id }: RepositoryRef): FakeRepository => repositories.get(id) ?? notFound(`repository ${id}`);
  const issueOf = (ref: RepositoryRef, number: number) =>
    at(ref).issues.get(number) ?? notFound(`${fullName(ref)}#${number}`);

  const relatedOf = (ref: RepositoryRef, number: number): RelatedIssue => ({
    repository: fullName(ref),
    number,
    state: issueOf(ref, number).state,
  });

  /** Returns the current issue if its repository is one of these. */
  const asItIsNow = (related: RelatedIssue): RelatedIssue => {
    const there = [...repositories.values()].find((one) => fullName(one.ref) === related.repository);
    const state = there?.issues.get(related.number)?.state;
    return state === undefined ? related : { ...related, state };
  };

  /** Returns the method with the failures that tests asked for. */
  function failing<Args extends unknown[], Result>(method: keyof GitHub, act: (...args: Args) => Result) {
    return async (...args: Args): Promise<Result> => {
      const index = failures.findIndex((failure) => failure.method === method);
      const failure = index < 0 ? undefined : failures.splice(index, 1)[0];
      if (failure?.when === "before") throw failure.error;
      const result = act(...args);
      if (failure) throw failure.error;
      return structuredClone(result);
    };
  }

  const wrote = (method: keyof GitHub, what: string | number): void => void writes.push(`${method} ${what}`);

  return {
    writes,
    room: {
      start: null,
      wake: null,
      noRoomUntil(_, work) {
        return this[work];
      },
    },
    add(ref) {
      const repository = fakeRepository(ref);
      repositories.set(ref.id, repository);
      return repository;
    },
    failNext(method, error, when) {
      failures.push({ method, error, when });
    },
    identity: failing("identity", () => ({
      slug: "flotilla",
      appId: 12,
      botLogin: BOT.login,
      botId: BOT.id,
    })),
    repository: failing("repository", (given: RepositoryRef) => {
      const { ref, defaultBranch, private: isPrivate, archived } = at(given);
      return { id: ref.id, fullName: fullName(ref), defaultBranch, private: isPrivate, archived };
    }),
    issue: failing("issue", (ref: RepositoryRef, number: number): GitHubIssue => issueOf(ref, number)),
    issuesWith: failing("issuesWith", (ref: RepositoryRef, label: string): GitHubIssue[] =>
      [...at(ref).issues.values()]
        .filter(
          ({ state, labels, isPullRequest }) =>
            state === "open" &&
            !isPullRequest &&
            labels.some((name) => name.toLowerCase() === label.toLowerCase()),
        )
        .toReversed(),
    ),
    newestIssues: failing("newestIssues", (ref: RepositoryRef, count: number) => newest(at(ref), count)),
    searchIssues: failing("searchIssues", (ref: RepositoryRef, query: string, count: number) =>
      found(at(ref), query, count),
    ),
    comments: failing("comments", (ref: RepositoryRef, number: number) => {
      const issue = issueOf(ref, number);
      return at(ref).comments.get(issue.number) ?? [];
    }),
    pullRequest: failing(
      "pullRequest",
      (ref: RepositoryRef, number: number) =>
        at(ref).pulls.get(number) ?? notFound(`pull request ${fullName(ref)}#${number}`),
    ),
    pullRequests: failing("pullRequests", (ref: RepositoryRef, { head }: { head?: string }) =>
      [...at(ref).pulls.values()]
        .filter((pull) => (head === undefined ? pull.state === "open" : pull.headRef === head))
        .toReversed(),
    ),
    events: failing("events", (ref: RepositoryRef, number: number) => {
      issueOf(ref, number);
      return at(ref).events.get(number) ?? [];
    }),
    reviews: failing("reviews", (ref: RepositoryRef, number: number) => {
      if (!at(ref).pulls.has(number)) notFound(`pull request ${fullName(ref)}#${number}`);
      return at(ref).reviews.get(number) ?? [];
    }),
    reviewComments: failing("reviewComments", (ref: RepositoryRef, number: number) => {
      if (!at(ref).pulls.has(number)) notFound(`pull request ${fullName(ref)}#${number}`);
      return at(ref).reviewComments.get(number) ?? [];
    }),
    permission: failing(
      "permission",
      (ref: RepositoryRef, { login }: { login: string }) => at(ref).permissions.get(login) ?? "none",
    ),

    ...createFakeChecks({ at, refused, failing, wrote }),

    putComment: failing("putComment", (ref, number, comment): { id: number; url: string } => {
      const { key, body, knownId } = comment;
      const all = at(ref).comments.get(issueOf(ref, number).number) ?? [];
      const signed = withMarker(body, { key, mac: MAC });
      const shown = all.filter((one) => one.id === knownId || lag.shows(one));
      const ours = lag.seen(byMarker(shown, key), comment);
      if (ours?.body === signed) return { id: ours.id, url: ours.url };
      wrote("putComment", number);
      if (ours) return { id: Object.assign(ours, { body: signed }).id, url: ours.url };
      const added = addComment(at(ref), number, { body: signed, author: BOT, at: options.clock.now() });
      lag.wrote(added);
      return { id: added.id, url: added.url };
    }) satisfies GitHub["putComment"],
    createIssue: failing("createIssue", (ref, wanted): GitHubIssue => {
      const shown = [...at(ref).issues.values()].filter(lag.shows);
      const ours = lag.seen(byMarker(shown, wanted.key), wanted);
      if (ours) return issueOf(ref, ours.number);
      wrote("createIssue", wanted.key);
      const body = withMarker(wanted.body, { key: wanted.key, mac: MAC });
      const like = [...at(ref).issues.values()].find((one) => one.milestone?.number === wanted.milestone);
      const added = addIssue(at(ref), { title: wanted.title, body, author: BOT });
      lag.wrote(Object.assign(added, { milestone: like?.milestone ?? null }));
      return issueOf(ref, added.number);
    }) satisfies GitHub["createIssue"],
    closeIssue: failing("closeIssue", (ref, number): void => {
      Object.assign(issueOf(ref, number), { state: "closed", stateReason: "completed" });
      wrote("closeIssue", number);
    }) satisfies GitHub["closeIssue"],
    addLabels: failing("addLabels", (ref, number, labels): void => {
      const issue = issueOf(ref, number);
      for (const name of labels) {
        const color = at(ref).labels.get(name) ?? options.labels[name];
        if (color === undefined) throw refused("invalid", `${fullName(ref)} has no label "${name}"`, "stop");
        at(ref).labels.set(name, color);
      }
      if (labels.length === 0) return;
      wrote("addLabels", number);
      issue.labels = [...new Set([...issue.labels, ...labels])];
    }) satisfies GitHub["addLabels"],
    labels: failing("labels", (ref: RepositoryRef) => [...at(ref).labels.keys()]),
    addExistingLabels: failing("addExistingLabels", (ref, number, labels): readonly string[] => {
      const issue = issueOf(ref, number);
      const wanted = labels.map((name) => name.toLowerCase());
      const there = [...at(ref).labels.keys()].filter((name) => wanted.includes(name.toLowerCase()));
      if (there.length > 0) wrote("addExistingLabels", number);
      issue.labels = [...new Set([...issue.labels, ...there])];
      return there;
    }) satisfies GitHub["addExistingLabels"],
    removeLabel: failing("removeLabel", (ref, number, label): void => {
      const issue = issueOf(ref, number);
      wrote("removeLabel", number);
      issue.labels = issue.labels.filter((name) => name !== label);
    }) satisfies GitHub["removeLabel"],
    react: failing("react", (ref, commentId, reaction, place = "issue"): void => {
      const { comments, reviewComments } = at(ref);
      const all = [...(place === "issue" ? comments : reviewComments).values()].flat();
      if (!all.some(({ id }) => id === commentId)) notFound(`comment ${commentId}`);
      wrote("react", commentId);
      const { reactions } = at(ref);
      if (reactions.some((known) => known.commentId === commentId && known.reaction === reaction)) return;
      reactions.push({ commentId, reaction });
    }) satisfies GitHub["react"],
    reactions: failing("reactions", (ref: RepositoryRef, commentId: number) =>
      at(ref)
        .reactions.filter((one) => one.commentId === commentId)
        .map(({ reaction, by = BOT }) => ({ content: reaction, user: by })),
    ),
    openPullRequest: failing("openPullRequest", (ref, wanted) => {
      const shown = [...at(ref).pulls.values()].filter(lag.shows);
      const ofHead = shown.filter((pull) => pull.headRef === wanted.head);
      const ofKey = byMarker(ofHead, wanted.key);
      if (ofKey) return ofKey;
      const open = ofHead.find((pull) => pull.state === "open" && pull.baseRef === wanted.base);
      if (open?.author.id === BOT.id) return open;
      lag.seen(open, wanted);
      if (open) throw refused("conflict", `${fullName(ref)}#${open.number} is a person's`, "tell");
      refuseUnseen([...at(ref).pulls.values()], wanted);
      if (!at(ref).branchesAhead.has(wanted.head)) {
        throw refused("invalid", `${wanted.head} has no commit that ${wanted.base} lacks`, "tell");
      }
      wrote("openPullRequest", wanted.head);
      const body = withMarker(wanted.body, { key: wanted.key, mac: MAC });
      const added = addPull(at(ref), { ...wanted, body, author: BOT, at: options.clock.now() });
      lag.wrote(added);
      return added;
    }) satisfies GitHub["openPullRequest"],
    ...createFakeProposing({ at, failing, wrote }),
    ...createFakeSigning({ at, failing, wrote }),
    ...createFakeFiles({ at, failing }),
    ...createFakePullBodies({ at, notFound, failing, wrote }),
    ...createFakeMerging({ at, notFound, failing, wrote, now: () => options.clock.now() }),
    addBlockedBy: failing("addBlockedBy", (ref, number, blocker, where = ref): void => {
      if (where.id !== ref.id) {
        const known = at(ref).blockedElsewhere.get(issueOf(ref, number).number) ?? [];
        at(ref).blockedElsewhere.set(number, [...known, relatedOf(where, blocker)]);
        return wrote("addBlockedBy", number);
      }
      const known = at(ref).blockedBy.get(issueOf(ref, number).number) ?? new Set();
      at(ref).blockedBy.set(number, known.add(issueOf(ref, blocker).number));
      wrote("addBlockedBy", number);
    }) satisfies GitHub["addBlockedBy"],
    blockedBy: failing("blockedBy", (ref: RepositoryRef, number: number): readonly RelatedIssue[] => [
      ...[...(at(ref).blockedBy.get(issueOf(ref, number).number) ?? [])].map((blocker) =>
        relatedOf(ref, blocker),
      ),
      ...(at(ref).blockedElsewhere.get(number) ?? []).map(asItIsNow),
    ]),
    ...createFakeSubIssues({ at, issueOf, relatedOf, failing, wrote }),
    writeReview: failing("writeReview", (ref, number, written) => {
      const { review, isNew } = writeReview(at(ref), number, written, lag);
      if (isNew) wrote("writeReview", number);
      return { id: review.id, url: review.url };
    }) satisfies GitHub["writeReview"],
    putCheck: failing("putCheck", (ref, check) => {
      const put = putCheck(at(ref), check, lag);
      if (put !== null) wrote("putCheck", `${check.name} ${check.conclusion ?? "in_progress"}`);
      return put;
    }) satisfies GitHub["putCheck"],
    gitToken: failing("gitToken", (ref: RepositoryRef) => `token-for-${at(ref).ref.id}`),
  };
}
