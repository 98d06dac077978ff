import { beforeAll, expect, it } from "vitest";
import { git } from "../../../src/demo/github/git/run.ts";
import { botClient, type Client } from "./client.ts";
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
  octocat.protect({ checks: ["build"], upToDate: true, approvals: 1 });
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

  octocat.protect({ checks: ["build"], approvals: 1 });
  expect((await merge(number))[0]).toBe(200);
  const { directory } = ground.github.state().repository;
  expect(await git(directory, ["show", "main:ruled.txt"])).toBe("r");
});
