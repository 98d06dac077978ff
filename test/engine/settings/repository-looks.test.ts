import { expect, test } from "vitest";
import { repositoryScope } from "../../../src/domain/breakers/scope.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";

const FILE = ".github/flotilla.yml";
const row = { ...REPOSITORY, private: true, defaultBranch: "main" };
const put = (rig: Rig, text: string, path = FILE) => rig.repository.files.set(path, text);
const refresh = (rig: Rig) => rig.context.ownSettings.refresh(row);
const reviewers = (rig: Rig) => rig.context.settingsOf(REPOSITORY.id).review.reviewers;
const rules = async (rig: Rig) =>
  (await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 20)).map(({ rule }) => rule);

function calls(rig: Rig): string[] {
  const made: string[] = [];
  rig.onCall = (call) => void (/\.(directory|file)$/.test(call) && made.push(call));
  return made;
}

test("a file that is gone because GitHub does not show the repository stays in force", async () => {
  const rig = await aRig();
  put(rig, "review: { reviewers: 2 }");
  await refresh(rig);
  rig.repository.files.delete(FILE);
  rig.github.failNext(
    "repository",
    new GitHubError("forbidden", "hidden", 0, { consequence: "tell" }),
    "before",
  );
  await refresh(rig);
  expect(reviewers(rig)).toBe(2);
  await refresh(rig);
  expect(reviewers(rig)).toBe(rig.context.settings.review.reviewers);
});

test("two looks at a time are one", async () => {
  const rig = await aRig();
  const made = calls(rig);
  await Promise.all([refresh(rig), refresh(rig)]);
  expect(made).toEqual(["github.directory"]);
});

test("a new life reads the same file again, for today's settings may judge it otherwise", async () => {
  const rig = await aRig();
  put(rig, "review: { reviewers: 2 }");
  await refresh(rig);
  await rig.restart();
  const made = calls(rig);
  await refresh(rig);
  await refresh(rig);
  expect(made.filter((call) => call === "github.file")).toHaveLength(1);
});

test("what GitHub refuses is not asked again at each delivery", async () => {
  const rig = await aRig();
  const made = calls(rig);
  rig.github.failNext("directory", new GitHubError("forbidden", "no", 0, { consequence: "tell" }), "before");
  await tell(rig, labeled(rig, 1, { label: "later" }), labeled(rig, 2, { label: "later" }));
  expect(made).toEqual(["github.directory"]);
});

test("a file that changes while it is read is taken at the next look, once", async () => {
  const rig = await aRig();
  put(rig, "review: { reviewers: 2 }");
  rig.onCall = (call) => void (call === "github.file" && put(rig, "review: { reviewers: 3 }"));
  await refresh(rig);
  expect(await rules(rig)).toEqual([]);
  rig.onCall = () => {};
  await refresh(rig);
  expect(await rules(rig)).toEqual(["repository_file_taken"]);
  expect(reviewers(rig)).toBe(3);
});

test("a repository that is shut is not asked, though an agent lives there", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const made = calls(rig);
  await rig.pass(rig.context.settings.reconcileEveryMs);
  expect(made).not.toEqual([]);
  const scope = repositoryScope(REPOSITORY.id);
  await rig.store.scopePauses.add({ scope, holder: "archived", by: "alice", reason: null, since: 0 });
  made.length = 0;
  await rig.pass(rig.context.settings.reconcileEveryMs);
  expect(made).toEqual([]);
});

test("role files are Markdown, thirty at most; what else lies beside them is not looked at", async () => {
  const rig = await aRig();
  put(rig, "review: { reviewers: 2 }");
  put(rig, "x".repeat(20_000), ".github/flotilla/roles/notes.txt");
  for (let number = 1; number <= 30; number += 1) put(rig, "Fix.", `.github/flotilla/roles/r${number}.md`);
  await refresh(rig);
  expect(await rules(rig)).toEqual(["repository_file_taken"]);
  put(rig, "Fix.", ".github/flotilla/roles/r31.md");
  await refresh(rig);
  const [faulty] = await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 1);
  expect(faulty?.reason).toContain("holds more than 30 role files");
});

test("a faulty file is not told where only somebody without write permission acts", async () => {
  const rig = await aRig();
  put(rig, "merg: {}");
  await tell(rig, { ...labeled(rig, 1, { label: "later" }), permitted: false });
  const told = () =>
    [...rig.repository.comments.values()].flat().filter(({ body }) => body.includes("is faulty"));
  expect(told()).toEqual([]);
  await tell(rig, labeled(rig, 2, { label: "later" }));
  expect(told()).toHaveLength(1);
});
