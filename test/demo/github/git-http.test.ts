import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { GitFailed, git } from "../../../src/demo/github/git/run.ts";
import { installationToken } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
let clones = 0;

function urlWith(token: string, name = "acme/app"): string {
  return `${ground.github.origin.replace("http://", `http://x-access-token:${token}@`)}/${name}.git`;
}
async function clone(token: string): Promise<string> {
  clones += 1;
  const directory = join(ground.directory, `clone-${clones}`);
  await git(".", ["clone", "--quiet", urlWith(token), directory]);
  await git(directory, ["config", "user.name", "Somebody"]);
  await git(directory, ["config", "user.email", "somebody@example.com"]);
  return directory;
}
async function commit(directory: string, path: string, message: string): Promise<string> {
  await writeFile(join(directory, path), `${message}\n`);
  await git(directory, ["add", "."]);
  await git(directory, ["commit", "--quiet", "-m", message]);
  return await git(directory, ["rev-parse", "HEAD"]);
}
async function refusal(job: Promise<unknown>): Promise<string> {
  const error = await job.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof GitFailed)) throw new Error("git was not refused");
  return error.stderr;
}

describe("git over HTTP", () => {
  let token: string;
  beforeAll(async () => {
    token = await installationToken(ground.github, { permissions: { contents: "write" } });
  });

  it("clones with a token for contents, with the old and the new protocol", async () => {
    const directory = await clone(token);
    expect(await readFile(join(directory, "README.md"), "utf8")).toBe("# app\n");
    const refs = await git(".", ["-c", "protocol.version=0", "ls-remote", urlWith(token)]);
    expect(refs).toContain("refs/heads/main");
  });

  it("asks for a token, and refuses a wrong one, another repository's and one without contents", async () => {
    const plain = `${ground.github.origin}/acme/app.git`;
    expect(await refusal(git(".", ["ls-remote", plain]))).toContain("could not read Username");
    expect(await refusal(git(".", ["ls-remote", urlWith("wrong")]))).toContain("Authentication failed");
    const other = await installationToken(ground.github, { repositories: ["lib"] });
    expect(await refusal(git(".", ["ls-remote", urlWith(other)]))).toContain("not found");
    const issuesOnly = await installationToken(ground.github, { permissions: { issues: "write" } });
    expect(await refusal(git(".", ["ls-remote", urlWith(issuesOnly)]))).toContain("not found");
    expect(await refusal(git(".", ["ls-remote", urlWith(token, "acme/none")]))).toContain("not found");
  });

  it("refuses a push by a reader", async () => {
    const readOnly = await installationToken(ground.github, { permissions: { contents: "read" } });
    const directory = await clone(readOnly);
    await commit(directory, "x.txt", "x");
    expect(await refusal(git(directory, ["push", "origin", "HEAD:refs/heads/x"]))).toContain("403");
    expect(
      await refusal(git(directory, ["push", urlWith(ground.github.as("reader").token), "HEAD:x"])),
    ).toContain("403");
  });

  it("sends correct webhooks for new, moved and deleted branches and tags", async () => {
    const directory = await clone(token);
    const before = await git(directory, ["rev-parse", "HEAD"]);
    const first = await commit(directory, "first.txt", "First");
    const second = await commit(directory, "second.txt", "Second");
    await git(directory, ["push", "--quiet", "origin", "HEAD:refs/heads/work", "HEAD:refs/tags/v1"]);
    expect(await ground.heard()).toEqual(["create", "push", "create", "push"]);
    const [create, push] = ground.receiver.received.slice(-4).map((entry) => entry.payload);
    expect(create).toMatchObject({
      ref: "work",
      ref_type: "branch",
      master_branch: "main",
      sender: { login: "flotilla[bot]" },
    });
    expect(push).toMatchObject({
      ref: "refs/heads/work",
      before: "0".repeat(40),
      after: second,
      created: true,
      head_commit: { id: second },
    });
    expect(push?.["commits"]).toMatchObject([
      { id: first, added: ["first.txt"] },
      { id: second, added: ["second.txt"] },
    ]);
    await git(directory, ["push", "--quiet", "--force", "origin", `${before}:refs/heads/work`]);
    expect(await ground.heard()).toEqual(["push"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({ forced: true, commits: [] });
    await git(directory, ["push", "--quiet", "origin", ":refs/heads/work"]);
    expect(await ground.heard()).toEqual(["delete", "push"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({ deleted: true, head_commit: null });
  });

  it("has moved a pull request's head when the push is answered", async () => {
    const octocat = ground.github.as("octocat");
    await octocat.push("topic", { "t.txt": "1" }, "Topic");
    const number = await octocat.openPull({ title: "T", head: "topic" });
    const directory = await clone(token);
    await git(directory, ["checkout", "--quiet", "topic"]);
    const sha = await commit(directory, "t.txt", "Two");
    await git(directory, ["push", "--quiet", "origin", "topic"]);
    expect(ground.github.state().pull(number).pull.headSha).toBe(sha);
    expect((await ground.heard()).slice(-2)).toEqual(["push", "pull_request.synchronize"]);
  });

  it("accepts refs outside heads and tags without a webhook, but not GitHub's own refs/pull", async () => {
    const directory = await clone(token);
    const sha = await commit(directory, "c.txt", "Checkpoint");
    await git(directory, ["push", "--quiet", "origin", "HEAD:refs/flotilla/checkpoints/one"]);
    expect(await git(".", ["ls-remote", urlWith(token), "refs/flotilla/checkpoints/one"])).toContain(sha);
    expect(await ground.heard()).toEqual([]);
    expect(await refusal(git(directory, ["push", "origin", "HEAD:refs/pull/9/head"]))).toContain(
      "hidden ref",
    );
  });

  it("refuses a push that would lose commits, without a webhook", async () => {
    const directory = await clone(token);
    await ground.github.as("octocat").push("main", { "ahead.txt": "a" }, "Ahead");
    await ground.heard();
    await commit(directory, "behind.txt", "Behind");
    expect(await refusal(git(directory, ["push", "origin", "HEAD:main"]))).toContain("fetch first");
    expect(await ground.heard()).toEqual([]);
  });

  it("can simulate a failure before a push, and after it was carried out", async () => {
    const directory = await clone(token);
    await commit(directory, "faulty.txt", "Faulty");
    const push = (): Promise<string> => git(directory, ["push", "origin", "HEAD:refs/heads/faulty"]);
    const names = (): Promise<string> => git(".", ["ls-remote", urlWith(token), "refs/heads/faulty"]);
    ground.github.faults.add({ method: "POST", path: /git-receive-pack$/, kind: "status", status: 503 });
    expect(await refusal(push())).toContain("503");
    expect(await names()).toBe("");
    const after = { method: "POST", path: /git-receive-pack$/, kind: "status-after", status: 502 } as const;
    ground.github.faults.add(after);
    expect(await refusal(push())).toContain("RPC failed; HTTP 502");
    expect(await names()).toContain("refs/heads/faulty");
    // curl itself sends the request again, and the server already has the commit.
    await commit(directory, "faulty.txt", "Faultier");
    ground.github.faults.add({ method: "POST", path: /git-receive-pack$/, kind: "reset-after" });
    expect(await refusal(push())).toContain("cannot lock ref");
    await push();
  });

  it("accepts a push too large for one buffer, and a fetch with a compressed request", async () => {
    const directory = await clone(token);
    const big = randomBytes(2 * 1024 * 1024);
    await writeFile(join(directory, "big.bin"), big);
    await git(directory, ["add", "."]);
    await git(directory, ["commit", "--quiet", "-m", "Big"]);
    await git(directory, ["push", "--quiet", "origin", "HEAD:refs/heads/big"]);
    const other = await clone(token);
    expect(await git(other, ["cat-file", "-s", "origin/big:big.bin"])).toBe(String(big.length));
    // Many commits that the server lacks, newer than all others, make git's negotiation long.
    const commits = Array.from({ length: 100 }, (_entry, index) => {
      return `commit refs/heads/local\ncommitter A <a@example.com> ${2_000_000_000 + index} +0000\ndata 2\nx\n\n`;
    });
    await git(other, ["fast-import", "--quiet"], { input: Buffer.from(commits.join("")) });
    const tip = await ground.github.as("octocat").push("main", { "later.txt": "l" }, "Later");
    await git(other, ["fetch", "--quiet", "origin"]);
    expect(await git(other, ["rev-parse", "origin/main"])).toBe(tip);
  });
});
