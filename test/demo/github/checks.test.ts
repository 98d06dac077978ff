import { beforeAll, describe, expect, it } from "vitest";
import { botClient, type Client, clientFor } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
let sha: string;
beforeAll(async () => {
  bot = await botClient(ground.github);
  sha = await ground.github.as("octocat").push("topic", { "x.txt": "x" }, "X");
  await ground.github.as("octocat").openPull({ title: "X", head: "topic" });
});

describe("check runs", () => {
  it("are created and completed; the suite's webhook says completed once all runs are", async () => {
    const first = await bot("POST", `${repo}/check-runs`, {
      name: "one",
      head_sha: sha,
      status: "in_progress",
    });
    expect(first.json).toMatchObject({ status: "in_progress", conclusion: null, app: { slug: "flotilla" } });
    const output = { title: "T", summary: "S" };
    await bot("POST", `${repo}/check-runs`, { name: "two", head_sha: sha, conclusion: "success", output });
    expect(await ground.heard()).toEqual(["check_run.created", "check_run.created", "check_run.completed"]);
    const path = `${repo}/check-runs/${String(first.json["id"])}`;
    expect((await bot("PATCH", path, { conclusion: "failure" })).json).toMatchObject({
      status: "completed",
      conclusion: "failure",
    });
    expect(await ground.heard()).toEqual(["check_run.completed", "check_suite.completed"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({
      check_suite: { conclusion: "failure", head_branch: "topic" },
    });
    expect((await bot("GET", path)).json["conclusion"]).toBe("failure");
    const { json } = await bot("GET", `${repo}/commits/${sha}/check-runs?check_name=two`);
    expect(json).toMatchObject({ total_count: 1, check_runs: [{ name: "two", output: { title: "T" } }] });
    expect((await bot("GET", `${repo}/commits/topic/check-runs`)).json["total_count"]).toBe(2);
  });

  it("can only be created by the App, on an existing commit", async () => {
    const octocat = clientFor(ground.github, ground.github.as("octocat").token);
    expect((await octocat("POST", `${repo}/check-runs`, { name: "n", head_sha: sha })).status).toBe(403);
    expect((await bot("POST", `${repo}/check-runs`, { name: "n", head_sha: "1".repeat(40) })).status).toBe(
      422,
    );
    expect((await bot("GET", `${repo}/check-runs/1`)).status).toBe(404);
  });
});

describe("commit statuses", () => {
  it("combine to pending without any or while one is pending, and to failure before success", async () => {
    const combined = async (): Promise<unknown> =>
      (await bot("GET", `${repo}/commits/${sha}/status`)).json["state"];
    const set = async (state: string, context: string): Promise<number> =>
      (await bot("POST", `${repo}/statuses/${sha}`, { state, context, target_url: null })).status;
    expect(await combined()).toBe("pending");
    expect(await set("success", "a")).toBe(201);
    expect(await combined()).toBe("success");
    await set("pending", "b");
    expect(await combined()).toBe("pending");
    await set("failure", "b");
    expect(await combined()).toBe("failure");
    expect(
      (await bot("GET", `${repo}/commits/${sha}/statuses`)).list.map((status) => status["state"]),
    ).toEqual(["failure", "pending", "success"]);
    expect(await ground.heard()).toEqual(["status", "status", "status"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({
      sha,
      state: "failure",
      branches: [{ name: "topic" }],
    });
    expect((await bot("POST", `${repo}/statuses/${"1".repeat(40)}`, { state: "success" })).status).toBe(422);
  });
});
