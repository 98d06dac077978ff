import { expect, it } from "vitest";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import type { GitHub } from "../../../src/domain/ports/github.ts";
import { githubForEffect } from "../../../src/engine/outbox/github-for-effect.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeGitHub } from "../../fakes/github.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { createFakeWorktrees } from "../../fakes/worktrees.ts";
import { REPOSITORY } from "../rig.ts";

const SAID = { key: "k", body: "Said." };
const REVIEW = { event: "COMMENT", commit: "c1", comments: [], bodyWithComments: "Said." } as const;
const CHECK = {
  name: "review",
  commit: "c1",
  conclusion: null,
  title: "Reviewed",
  summary: "",
  detailsUrl: null,
  create: true,
};
const PULL = { title: "Change", head: "one", base: "main", draft: false };

const forEffect = (github: GitHub, clock: Clock) =>
  githubForEffect(
    { github, worktrees: createFakeWorktrees({}), clock },
    { row: { kind: "merge_pull", lagsUntil: 7 }, level: "merge", until: 100 },
  );

it("says to everything that is made until when lists lag, and to nothing else", async () => {
  const told: [unknown, unknown][] = [];
  const github = new Proxy(createFakeGitHub({ clock: createFakeClock(0), labels: {} }), {
    get:
      (_, name) =>
      async (...given: readonly unknown[]) =>
        void told.push([name, given.at(-1)]),
  });
  const { github: once } = forEffect(github, createFakeClock(0));
  await once.putComment(REPOSITORY, 1, { ...SAID, knownId: undefined });
  await once.createIssue(REPOSITORY, { ...SAID, title: "A part" });
  await once.openPullRequest(REPOSITORY, { ...SAID, ...PULL });
  await once.writeReview(REPOSITORY, 1, { ...SAID, ...REVIEW });
  await once.putCheck(REPOSITORY, CHECK);
  await once.addLabels(REPOSITORY, 1, ["bug"]);
  expect(told).toEqual([
    ["putComment", { ...SAID, knownId: undefined, lagsUntil: 7 }],
    ["createIssue", { ...SAID, title: "A part", lagsUntil: 7 }],
    ["openPullRequest", { ...SAID, ...PULL, lagsUntil: 7 }],
    ["writeReview", { ...SAID, ...REVIEW, lagsUntil: 7 }],
    ["putCheck", { ...CHECK, lagsUntil: 7 }],
    ["addLabels", ["bug"]],
  ]);
});

it("begins no call of GitHub or git once the time of the try is over", async () => {
  const clock = createFakeClock(0);
  const fake = createFakeGitHub({ clock, labels: {} });
  addIssue(fake.add(REPOSITORY), { title: "Feature", body: "Do.", author: person("alice") });
  const { github, worktrees } = forEffect(fake, clock);
  clock.advance(99);
  await github.removeLabel(REPOSITORY, 1, "feature");
  clock.advance(1);
  const late = { code: "time_limit", consequence: "retry" };
  await expect(github.addLabels(REPOSITORY, 1, ["bug"])).rejects.toMatchObject(late);
  await expect(worktrees.tidy(REPOSITORY)).rejects.toMatchObject(late);
  expect(fake.writes).toHaveLength(1);
});
