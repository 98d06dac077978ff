import { describe, expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import {
  BOT,
  createReadingRig,
  envelope,
  ISSUE,
  LISTED_BOT,
  OTHER_BOT,
  person,
  READER,
  rawIssue,
  rowOf,
  WRITER,
} from "../reading-rig.ts";

const UNAVAILABLE = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
const labeled = (sender: typeof WRITER, name: string, issue: object = {}) =>
  envelope(sender, { action: "labeled", issue: rawIssue(issue), label: { name } });

describe("issues.opened", () => {
  it("tells who opened which issue where", async () => {
    const rig = createReadingRig();
    const reading = await rig.read("issues.opened", envelope(WRITER, { issue: rawIssue() }));
    expect(reading).toEqual({
      delivery: "d-1",
      at: rig.now,
      repository: rowOf(),
      actor: WRITER,
      permitted: true,
      type: "issue_opened",
      issue: expect.objectContaining(ISSUE) as unknown,
    });
  });

  it.each([
    ["a person who may only read", READER, {}, false],
    ["a stranger", person("sam"), {}, false],
    ["a writer where maintainers command", WRITER, { whoMayCommand: "maintain" as const }, false],
    ["a bot on the list", LISTED_BOT, {}, true],
    ["a bot off the list", OTHER_BOT, {}, false],
    ["our own App", BOT, {}, false],
  ])("permits %s or not, by API and list", async (_who, sender, policy, permitted) => {
    const rig = createReadingRig({ policy });
    const reading = await rig.read("issues.opened", envelope(sender, { issue: rawIssue() }));
    expect(reading).toMatchObject({ permitted });
  });

  it("permits nobody when the permission cannot be read, and says so", async () => {
    const rig = createReadingRig();
    rig.github.failNext("permission", UNAVAILABLE, "before");
    const reading = await rig.read("issues.opened", envelope(WRITER, { issue: rawIssue() }));
    expect(reading).toMatchObject({ type: "issue_opened", permitted: false });
    expect(rig.log.lines).toMatchObject([{ level: "warn", fields: { login: "wendy" } }]);
  });

  it("asks nothing about bots: their name proves nothing", async () => {
    const rig = createReadingRig();
    const impostor = { ...OTHER_BOT, login: LISTED_BOT.login };
    const reading = await rig.read("issues.opened", envelope(impostor, { issue: rawIssue() }));
    expect(reading).toMatchObject({ permitted: false });
    expect(rig.asked).toEqual([]);
  });
});

describe("issues.labeled", () => {
  it("tells the label, and that its setter and the issue's author have the permission", async () => {
    const rig = createReadingRig();
    expect(await rig.read("issues.labeled", labeled(WRITER, "bug"))).toMatchObject({
      type: "issue_labeled",
      label: "bug",
      own: false,
      permitted: true,
      authorPermitted: true,
      personPull: null,
    });
  });

  it("knows our own App by its id, and asks for the author's permission then", async () => {
    const rig = createReadingRig();
    const renamed = { ...BOT, login: "renamed[bot]" };
    expect(await rig.read("issues.labeled", labeled(renamed, "bug", { user: READER }))).toMatchObject({
      own: true,
      permitted: false,
      authorPermitted: false,
    });
    expect(rig.asked).toEqual(["permission rita"]);
  });

  it.each(["issues.labeled", "issues.unlabeled"] as const)(
    "%s leaves our own label of a task's state alone, and tells a person's",
    async (event) => {
      const rig = createReadingRig();
      const told = (sender: typeof WRITER) => rig.read(event, labeled(sender, "Flotilla:Merged"));
      expect(await told(BOT)).toEqual({ ignored: "it is our own label of where the task stands" });
      expect(await told(WRITER)).toMatchObject({ label: "Flotilla:Merged", own: false, permitted: true });
    },
  );

  it("finds a person's open pull request for the issue before a coder could start", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 30, body: "Fixes #7" });
    rig.addPull({ number: 29, body: "Fixes #70" });
    rig.addPull({ number: 28, body: "Fixes #7", author: BOT });
    rig.addPull({ number: 27, body: "Fixes #7", state: "closed" });
    expect(await rig.read("issues.labeled", labeled(WRITER, "BUG"))).toMatchObject({ personPull: 30 });
    expect(await rig.read("issues.labeled", labeled(BOT, "bug"))).toMatchObject({ personPull: 30 });
  });

  it.each([
    ["the label starts no coder", WRITER, "sort", {}],
    ["the label starts nothing", WRITER, "wontfix", {}],
    ["its setter may not", READER, "bug", {}],
    ["the author may not and the label is ours", BOT, "bug", { user: READER }],
  ])("does not look for pull requests when %s", async (_why, sender, label, issue) => {
    const rig = createReadingRig();
    rig.addPull({ number: 30, body: "Fixes #7" });
    expect(await rig.read("issues.labeled", labeled(sender, label, issue))).toMatchObject({
      personPull: null,
    });
    expect(rig.asked).not.toContain("pulls open");
  });

  it("is tried again when the pull requests cannot be read", async () => {
    const rig = createReadingRig();
    rig.github.failNext("pullRequests", UNAVAILABLE, "before");
    await expect(rig.read("issues.labeled", labeled(WRITER, "bug"))).rejects.toBe(UNAVAILABLE);
  });
});

describe("issues.unlabeled", () => {
  it("tells the label and who took it away", async () => {
    const rig = createReadingRig();
    const payload = envelope(WRITER, { issue: rawIssue({ labels: [] }), label: { name: "needs-human" } });
    expect(await rig.read("issues.unlabeled", payload)).toMatchObject({
      type: "issue_unlabeled",
      label: "needs-human",
      own: false,
      permitted: true,
    });
    expect(await rig.read("issues.unlabeled", { ...payload, sender: BOT })).toMatchObject({ own: true });
  });
});

describe("issues.closed", () => {
  const closed = envelope(WRITER, { issue: rawIssue({ state: "closed", state_reason: "completed" }) });

  it("tells that no pull request of ours was merged", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 31, headRef: "flotilla/bug-fix/issue-7", state: "closed" });
    rig.addPull({ number: 32, headRef: "flotilla/bug-fix/issue-70", state: "closed", merged: true });
    rig.addPull({
      number: 33,
      headRef: "flotilla/feat-dev/issue-7",
      state: "closed",
      merged: true,
      headRepository: "mallory/shop",
    });
    expect(await rig.read("issues.closed", closed)).toMatchObject({
      type: "issue_closed",
      issue: { state: "closed", stateReason: "completed" },
      mergedPull: null,
    });
  });

  it("finds the newest merged one among the branches of all coders and attempts", async () => {
    const rig = createReadingRig();
    const merged = { state: "closed", merged: true } as const;
    rig.addPull({ ...merged, number: 31, headRef: "flotilla/bug-fix/issue-7" });
    rig.addPull({ ...merged, number: 34, headRef: "flotilla/bug-fix/issue-7-2" });
    rig.addPull({ ...merged, number: 32, headRef: "flotilla/feat-dev/issue-7" });
    expect(await rig.read("issues.closed", closed)).toMatchObject({
      mergedPull: { number: 34, commit: "sha-34" },
    });
    expect(rig.asked.filter((call) => call.includes("bug-fix"))).toEqual([
      "pulls flotilla/bug-fix/issue-7",
      "pulls flotilla/bug-fix/issue-7-2",
      "pulls flotilla/bug-fix/issue-7-3",
    ]);
  });
});

describe("issues.reopened", () => {
  it("tells a person's open pull request, by its branch too", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 41, headRef: "flotilla/bug-fix/issue-7" });
    rig.addPull({ number: 40, body: "closes octo/shop#7" });
    const reading = await rig.read("issues.reopened", envelope(WRITER, { issue: rawIssue() }));
    expect(reading).toMatchObject({ type: "issue_reopened", personPull: 40 });
    rig.world.pulls.delete(40);
    expect(await rig.read("issues.reopened", envelope(WRITER, { issue: rawIssue() }))).toMatchObject({
      personPull: 41,
    });
  });
});

describe("issues.assigned", () => {
  it("tells which person took the issue", async () => {
    const rig = createReadingRig();
    const payload = envelope(WRITER, { issue: rawIssue({ assignees: [READER] }), assignee: READER });
    expect(await rig.read("issues.assigned", payload)).toMatchObject({
      type: "issue_assigned",
      assignee: READER,
      issue: { assignees: [READER] },
    });
  });

  it("ignores an assigned bot", async () => {
    const rig = createReadingRig();
    const payload = envelope(WRITER, { issue: rawIssue(), assignee: OTHER_BOT });
    expect(await rig.read("issues.assigned", payload)).toEqual({
      ignored: "renovate[bot] is not a person",
    });
  });
});

describe("issues.deleted and issues.transferred", () => {
  it("tell that the issue is gone, and asks nobody's permission", async () => {
    const rig = createReadingRig();
    expect(await rig.read("issues.deleted", envelope(READER, { issue: rawIssue() }))).toMatchObject({
      type: "issue_gone",
      issue: { number: 7 },
      to: null,
    });
    expect(rig.asked).toEqual([]);
  });

  it("tell where it went", async () => {
    const rig = createReadingRig();
    const changes = { new_issue: { number: 3 }, new_repository: { full_name: "octo/other" } };
    expect(
      await rig.read("issues.transferred", envelope(WRITER, { issue: rawIssue(), changes })),
    ).toMatchObject({ type: "issue_gone", to: "octo/other#3" });
  });
});

it.each([
  ["issues.locked", true],
  ["issues.unlocked", false],
] as const)("%s tells that the issue is locked: %s", async (name, locked) => {
  const rig = createReadingRig();
  const reading = await rig.read(name, envelope(READER, { issue: rawIssue() }));
  expect(reading).toMatchObject({ type: "issue_locked", locked, permitted: false, actor: READER });
});

const edited = (changes: object, sender = WRITER) =>
  envelope(sender, { issue: rawIssue({ body: "new" }), changes });

describe("issues.edited", () => {
  it.each([
    ["the text", { body: { from: "old" } }, { title: "Broken", body: "old" }],
    ["a text that was empty", { body: { from: null } }, { title: "Broken", body: "" }],
    ["the title", { title: { from: "Bad" } }, { title: "Bad", body: "new" }],
    ["nothing that we read", {}, { title: "Broken", body: "new" }],
  ])("tells what it was before %s changed", async (_what, changes, was) => {
    const rig = createReadingRig();
    expect(await rig.read("issues.edited", edited(changes))).toMatchObject({
      type: "issue_edited",
      permitted: true,
      was,
    });
  });

  it("by somebody who may only read is told as such, and our own is ignored", async () => {
    const rig = createReadingRig();
    const changes = { body: { from: "old" } };
    expect(await rig.read("issues.edited", edited(changes, READER))).toMatchObject({ permitted: false });
    expect(await rig.read("issues.edited", edited(changes, BOT))).toEqual({ ignored: "it is our own" });
  });
});
