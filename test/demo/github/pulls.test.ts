import { beforeAll, describe, expect, it } from "vitest";
import { git } from "../../../src/demo/github/git/run.ts";
import { botClient, type Client } from "./client.ts";
import { dig } from "./dig.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
beforeAll(async () => {
  bot = await botClient(ground.github);
});

let branches = 0;
async function branchWith(files: Record<string, string>): Promise<string> {
  branches += 1;
  await ground.github.as("octocat").push(`topic-${branches}`, files, `Work ${branches}`);
  return `topic-${branches}`;
}
const directory = (): string => ground.github.state().repository.directory;

async function open(head: string, base = "main"): Promise<unknown[]> {
  const { status, json } = await bot("POST", `${repo}/pulls`, { title: "T", head, base });
  const error = (name: string): string => String(dig(json, "errors", 0, name));
  return [status, dig(json, "errors", 0, "message") ?? `${error("field")} ${error("code")}`];
}
async function find(query: string): Promise<unknown[]> {
  return (await bot("GET", `${repo}/pulls?${query}`)).list.map((pull) => pull["number"]);
}

describe("opening a pull request", () => {
  it("returns its counts and links, and sends its webhook", async () => {
    const head = await branchWith({ "src/a.txt": "one\n2\nthree\n", "new.txt": "n\n" });
    await ground.heard();
    const { status, json } = await bot("POST", `${repo}/pulls`, {
      title: "T",
      head,
      base: "main",
      body: "B",
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      commits: 1,
      changed_files: 2,
      additions: 2,
      deletions: 1,
      user: { login: "flotilla[bot]" },
      mergeable: null,
    });
    expect(await ground.heard()).toEqual(["pull_request.opened"]);
    const number = Number(json["number"]);
    const ref = await git(directory(), ["rev-parse", `refs/pull/${number}/head`]);
    expect(ref).toBe(await git(directory(), ["rev-parse", `refs/heads/${head}`]));
    const files = await bot("GET", `${repo}/pulls/${number}/files`);
    expect(files.list.map((file) => [file["filename"], file["status"]])).toEqual([
      ["new.txt", "added"],
      ["src/a.txt", "modified"],
    ]);
    expect(files.list[1]?.["patch"]).toBe("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three");
    expect((await bot("GET", `${repo}/pulls/${number}/commits`)).list).toHaveLength(1);
    const diff = await bot("GET", `${repo}/pulls/${number}`, undefined, {
      accept: "application/vnd.github.diff",
    });
    expect(diff.text).toContain("+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n");
    const asIssue = await bot("GET", `${repo}/issues/${number}`);
    expect(asIssue.json["pull_request"]).toMatchObject({ merged_at: null });
  });

  it("of a fork shows the fork as its head, follows no branch here, and is fetched by its own ref", async () => {
    const mona = ground.github.as("mona");
    const number = await mona.openForksPull({
      title: "From my fork",
      body: "",
      branch: "main",
      files: { "forks.txt": "f\n" },
    });
    const { json } = await bot("GET", `${repo}/pulls/${number}`);
    expect(json["head"]).toMatchObject({
      label: "mona:main",
      ref: "main",
      repo: { full_name: "mona/app", fork: true },
    });
    const { pull } = ground.github.state().pull(number);
    expect(await git(directory(), ["rev-parse", `refs/pull/${number}/head`])).toBe(pull.headSha);
    await ground.github.as("octocat").push("main", { "b.txt": "ours" }, "On main");
    expect(ground.github.state().pull(number).pull.headSha).toBe(pull.headSha);
    expect(await find("head=acme:main")).toEqual([]);
    expect(await find("head=mona:main")).toEqual([number]);
  });

  it("is refused without head or base branch, without commits, and while one is open", async () => {
    const head = await branchWith({ "b.txt": "b" });
    await git(directory(), ["branch", "empty", "main"]);
    expect(await open("missing")).toEqual([422, "head invalid"]);
    expect(await open("someone:main")).toEqual([422, "head invalid"]);
    expect(await open(head, "missing")).toEqual([422, "base invalid"]);
    expect(await open("empty")).toEqual([422, "No commits between main and empty"]);
    expect((await open(`acme:${head}`))[0]).toBe(201);
    expect(await open(head)).toEqual([422, `A pull request already exists for acme:${head}.`]);
  });

  it("can be found by head, base and state", async () => {
    const head = await branchWith({ "c.txt": "c" });
    const octocat = ground.github.as("octocat");
    const number = await octocat.openPull({ title: "Find", head });
    expect(await find(`head=acme:${head}`)).toEqual([number]);
    expect(await find(`head=acme:${head}&base=other`)).toEqual([]);
    await octocat.closePull(number);
    expect(await find(`head=acme:${head}`)).toEqual([]);
    expect(await find(`head=acme:${head}&state=closed`)).toEqual([number]);
  });
});

describe("a pull request", () => {
  it("follows pushes to its head and is closed with it", async () => {
    const octocat = ground.github.as("octocat");
    const head = await branchWith({ "d.txt": "1" });
    const number = await octocat.openPull({ title: "Follow", head });
    const before = ground.github.state().pull(number).pull.headSha;
    await ground.heard();
    const after = await octocat.push(head, { "d.txt": "2" }, "More");
    expect(await ground.heard()).toEqual(["push", "pull_request.synchronize"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({
      before,
      after,
      pull_request: { head: { sha: after }, commits: 2 },
    });
    await octocat.deleteBranch(head);
    expect(await ground.heard()).toEqual(["delete", "push", "pull_request.closed"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({ pull_request: { merged: false } });
  });

  it("sends its own event for changes of title, base, state, draft, labels and assignees", async () => {
    const octocat = ground.github.as("octocat");
    await git(directory(), ["branch", "release", "main"]);
    const number = await octocat.openPull({
      title: "Old",
      head: await branchWith({ "e.txt": "e" }),
      draft: true,
    });
    await ground.heard();
    expect(
      (await bot("PATCH", `${repo}/pulls/${number}`, { title: "New", base: "release" })).json,
    ).toMatchObject({ title: "New", base: { ref: "release" } });
    await octocat.setDraft(number, false);
    await octocat.setDraft(number, true);
    await octocat.label(number, "bug");
    await octocat.unlabel(number, "bug");
    await octocat.assign(number, "boss");
    await octocat.closePull(number);
    await bot("PATCH", `${repo}/pulls/${number}`, { state: "open" });
    expect(
      (await bot("POST", `${repo}/pulls/${number}/requested_reviewers`, { reviewers: ["boss"] })).status,
    ).toBe(201);
    expect(
      (await bot("POST", `${repo}/pulls/${number}/requested_reviewers`, { reviewers: ["octocat"] })).status,
    ).toBe(422);
    const names = await ground.heard();
    expect(names.filter((name) => name !== "label.created")).toEqual(
      [
        "edited",
        "ready_for_review",
        "converted_to_draft",
        "labeled",
        "unlabeled",
        "assigned",
        "closed",
        "reopened",
        "review_requested",
      ].map((name) => `pull_request.${name}`),
    );
  });
});

describe("merging", () => {
  it("keeps commits that landed on the base in the meantime, and closes the issues that the body names", async () => {
    const octocat = ground.github.as("octocat");
    const issue = await octocat.openIssue({ title: "Wanted" });
    const number = await octocat.openPull({
      title: "Do it",
      head: await branchWith({ "f.txt": "f" }),
      body: `Fixes #${issue}`,
    });
    const main = await octocat.push("main", { "meanwhile.txt": "m" }, "Meanwhile");
    expect((await bot("GET", `${repo}/pulls/${number}`)).json).toMatchObject({
      mergeable: true,
      mergeable_state: "clean",
    });
    await ground.heard();
    const sha = await octocat.merge(number);
    expect(await git(directory(), ["log", "-1", "--format=%P %s", "main"])).toBe(
      `${main} ${ground.github.state().pull(number).pull.headSha} Merge pull request #${number} from acme/topic-${branches}`,
    );
    const names = await git(directory(), ["ls-tree", "--name-only", sha]);
    expect(names.split("\n")).toEqual(expect.arrayContaining(["f.txt", "meanwhile.txt"]));
    expect(await ground.heard()).toEqual(["pull_request.closed", "issues.closed", "push"]);
    expect(ground.github.state().issue(issue).state).toBe("closed");
    expect((await bot("GET", `${repo}/pulls/${number}`)).json).toMatchObject({
      merged: true,
      merge_commit_sha: sha,
      merged_by: { login: "octocat" },
    });
    expect((await bot("GET", `${repo}/pulls/${number}/merge`)).status).toBe(204);
    await expect(octocat.merge(number)).rejects.toMatchObject({ status: 405 });
    await expect(octocat.reopen(number)).rejects.toMatchObject({ status: 422 });
    expect((await bot("GET", `${repo}/pulls/${number}/files`)).list).toHaveLength(1);
  });

  it("by squash creates one commit with one parent", async () => {
    const octocat = ground.github.as("octocat");
    const head = await branchWith({ "g.txt": "g" });
    await octocat.push(head, { "g.txt": "gg" }, "Second");
    const number = await octocat.openPull({ title: "Squash me", head });
    const base = await git(directory(), ["rev-parse", "main"]);
    const sha = await octocat.merge(number, "squash");
    expect(await git(directory(), ["log", "-1", "--format=%s|%P", sha])).toBe(
      `Squash me (#${number})|${base}`,
    );
  });

  it("is refused with a conflict, with another head than expected, and as a draft", async () => {
    const octocat = ground.github.as("octocat");
    const head = await branchWith({ "src/a.txt": "mine\n" });
    const number = await octocat.openPull({ title: "Clash", head });
    await octocat.push("main", { "src/a.txt": "theirs\n" }, "Theirs");
    expect((await bot("GET", `${repo}/pulls/${number}`)).json).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
    });
    const merge = async (body: object): Promise<number> =>
      (await bot("PUT", `${repo}/pulls/${number}/merge`, body)).status;
    expect([
      await merge({}),
      await merge({ sha: "0".repeat(40) }),
      await merge({ merge_method: "rebase" }),
    ]).toEqual([405, 409, 405]);
    expect((await bot("GET", `${repo}/pulls/${number}/merge`)).status).toBe(404);
    const draft = await octocat.openPull({
      title: "Draft",
      head: await branchWith({ "h.txt": "h" }),
      draft: true,
    });
    await expect(octocat.merge(draft)).rejects.toMatchObject({ status: 405 });
    await expect(ground.github.as("reader").merge(draft)).rejects.toMatchObject({ status: 403 });
  });

  it("by rebase puts each commit of the head on top of the base", async () => {
    const octocat = ground.github.as("octocat");
    const head = await branchWith({ "r.txt": "r" });
    await octocat.push(head, { "r.txt": "rr" }, "Second of two");
    const number = await octocat.openPull({ title: "Rebase me", head });
    const base = await octocat.push("main", { "meanwhile-too.txt": "m" }, "Meanwhile");
    const { json } = await bot("PUT", `${repo}/pulls/${number}/merge`, { merge_method: "rebase" });
    expect(await git(directory(), ["rev-parse", "main~2", "main"])).toBe(`${base}\n${String(json["sha"])}`);
    expect(await git(directory(), ["show", "main:r.txt"])).toBe("rr");
  });

  it("is detected when the head is pushed to the base by hand; commits also close issues", async () => {
    const octocat = ground.github.as("octocat");
    const issue = await octocat.openIssue({ title: "By commit" });
    const head = await branchWith({ "i.txt": "i" });
    const number = await octocat.openPull({ title: "By hand", head });
    const sha = await octocat.push(head, { "i.txt": "ii" }, `Closes acme/app#${issue}`);
    const merged = await bot("PATCH", `${repo}/git/refs/heads/main`, { sha, force: true });
    expect(merged.status).toBe(200);
    expect(ground.github.state().pull(number).pull.mergedAt).not.toBeNull();
    expect(ground.github.state().issue(issue).state).toBe("closed");
  });
});
