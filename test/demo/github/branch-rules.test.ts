import { beforeAll, describe, expect, it } from "vitest";
import { git } from "../../../src/demo/github/git/run.ts";
import { botClient, type Client, installationToken } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
beforeAll(async () => {
  bot = await botClient(ground.github);
});

const stateOf = async (number: number) =>
  (await bot("GET", `${repo}/pulls/${number}`)).json["mergeable_state"];
const merge = async (number: number) => {
  const { status, json } = await bot("PUT", `${repo}/pulls/${number}/merge`, {});
  return [status, String(json["message"]).split("\n").at(-1)];
};

it("a ruleset's demands are shown, and block a merge until each is met", async () => {
  const octocat = ground.github.as("octocat");
  const sha = await octocat.push("ruled", { "ruled.txt": "r" }, "Ruled");
  const number = Number(
    (await bot("POST", `${repo}/pulls`, { title: "Ruled", head: "ruled", base: "main" })).json["number"],
  );
  expect((await bot("GET", `${repo}/rules/branches/main`)).list).toEqual([]);
  await octocat.protect({ checks: ["build"], upToDate: true, approvals: 1 });
  const rules = (await bot("GET", `${repo}/rules/branches/main`)).list;
  expect(rules.map((rule) => rule["type"])).toEqual(["required_status_checks", "pull_request"]);
  expect((await bot("GET", `${repo}/rules/branches/ruled`)).list).toEqual([]);

  expect(await stateOf(number)).toBe("blocked");
  expect(await merge(number)).toEqual([405, 'Required status check "build" is expected.']);
  await octocat.call("POST", `/statuses/${sha}`, { state: "success", context: "build" });
  expect(await merge(number)).toEqual([
    405,
    "At least 1 approving review is required by reviewers with write access.",
  ]);
  await octocat.review(number, { event: "APPROVE", body: "Good." });
  expect(await stateOf(number)).toBe("clean");
  await octocat.push("main", { "moved.txt": "m" }, "Meanwhile");
  expect(await stateOf(number)).toBe("behind");
  expect((await merge(number))[0]).toBe(405);

  await octocat.protect({ checks: ["build"], approvals: 1 });
  expect((await merge(number))[0]).toBe(200);
  const { directory } = ground.github.state().repository;
  expect(await git(directory, ["show", "main:ruled.txt"])).toBe("r");
});

const octocat = () => ground.github.as("octocat");
const onServer = (...args: string[]) => git(ground.github.state().repository.directory, args);

/** A commit as the App makes it over REST, naming its author or not. */
const made = async (parent: string, extra: object = {}) => {
  const tree = await onServer("rev-parse", `${parent}^{tree}`);
  const body = { message: "Made here", tree, parents: [parent], ...extra };
  const { json } = await bot("POST", `${repo}/git/commits`, body);
  return { sha: String(json["sha"]), json };
};

describe("the rule that takes only signed commits", () => {
  it("is shown of the branches that it is for, and has signed what an App made without naming anybody", async () => {
    const main = await onServer("rev-parse", "main");
    await octocat().protect({ signatures: "every" });
    for (const branch of ["main", "flotilla/any"])
      expect((await bot("GET", `${repo}/rules/branches/${branch}`)).list.map((rule) => rule["type"])).toEqual(
        ["required_signatures"],
      );
    const { sha, json } = await made(main);
    expect(json["verification"]).toMatchObject({ verified: true, reason: "valid" });
    expect(json["committer"]).toMatchObject({ name: "GitHub", email: "noreply@github.com" });
    expect(await onServer("log", "-1", "--format=%an %s", sha)).toBe("flotilla[bot] Made here");
    const read = (await bot("GET", `${repo}/commits/${sha}`)).json["commit"];
    expect(read).toMatchObject({ verification: { verified: true } });
    const named = await made(main, { author: { name: "Me", email: "me@example.com" } });
    expect(named.json["verification"]).toMatchObject({ verified: false, reason: "unsigned" });
  });

  it("refuses an unsigned commit on a branch, by REST and by git, and takes a signed one", async () => {
    await octocat().protect({ signatures: "every" });
    const main = await onServer("rev-parse", "main");
    const signed = await made(main);
    const unsigned = await made(main, { author: { name: "Me", email: "me@example.com" } });
    const create = (sha: string) => bot("POST", `${repo}/git/refs`, { ref: "refs/heads/signed/one", sha });
    const refused = await create(unsigned.sha);
    expect([refused.status, refused.json["message"]]).toEqual([
      422,
      expect.stringContaining("Commits must have verified signatures."),
    ]);
    expect((await create(signed.sha)).status).toBe(201);
    const onTop = await made(signed.sha, { author: { name: "Me", email: "me@example.com" } });
    const move = { sha: onTop.sha, force: false };
    expect((await bot("PATCH", `${repo}/git/refs/heads/signed/one`, move)).status).toBe(422);

    const url = `${ground.github.origin.replace("http://", `http://x-access-token:${await installationToken(ground.github)}@`)}/acme/app.git`;
    const push = (sha: string) => onServer("push", "--quiet", url, `${sha}:refs/heads/signed/two`);
    await expect(push(unsigned.sha)).rejects.toThrow(/GH013.*\n.*Commits must have verified signatures/);
    await push(signed.sha);
    expect(await onServer("rev-parse", "signed/two")).toBe(signed.sha);
    // Only branches have rules.
    await onServer("push", "--quiet", url, `${unsigned.sha}:refs/flotilla/any/one`);
  });

  it("of the default branch alone takes a branch with unsigned commits, and does not merge it", async () => {
    await octocat().protect({ signatures: "default" });
    expect((await bot("GET", `${repo}/rules/branches/flotilla/any`)).list).toEqual([]);
    const main = await onServer("rev-parse", "main");
    const proposed = async (branch: string, sha: string) => {
      await bot("POST", `${repo}/git/refs`, { ref: `refs/heads/${branch}`, sha });
      const opened = await bot("POST", `${repo}/pulls`, { title: branch, head: branch, base: "main" });
      return Number(opened.json["number"]);
    };
    const unsigned = await made(main, { author: { name: "Me", email: "me@example.com" } });
    expect(await merge(await proposed("unsigned", unsigned.sha))).toEqual([
      405,
      "Commits must have verified signatures.",
    ]);
    const number = await proposed("all-signed", (await made(main)).sha);
    const rebase = await bot("PUT", `${repo}/pulls/${number}/merge`, { merge_method: "rebase" });
    expect(rebase.status).toBe(405);
    expect((await merge(number))[0]).toBe(200);
    const merged = (await bot("GET", `${repo}/commits/main`)).json["commit"];
    expect(merged).toMatchObject({ verification: { verified: true } });
  });
});
