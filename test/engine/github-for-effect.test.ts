import { expect, it } from "vitest";
import { deduplicatingGitHub } from "../../src/engine/outbox/deduplicating-github.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeGitHub } from "../fakes/github.ts";
import { REPOSITORY } from "./rig.ts";

const SAID = { key: "k", body: "Said." };
const REVIEW = { event: "COMMENT", commit: "c1", comments: [], bodyWithComments: "Said." } as const;
const CHECK = {
  name: "review",
  commit: "c1",
  conclusion: null,
  title: "Reviewed",
  summary: "",
  create: true,
};
const PULL = { title: "Change", head: "one", base: "main", draft: false };

it("says to everything that is made until when lists lag, and to nothing else", async () => {
  const told: [unknown, unknown][] = [];
  const github = new Proxy(createFakeGitHub({ clock: createFakeClock(0), labels: {} }), {
    get:
      (_, name) =>
      async (...given: readonly unknown[]) =>
        void told.push([name, given.at(-1)]),
  });
  const once = deduplicatingGitHub(github, { lagsUntil: 7 });
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
