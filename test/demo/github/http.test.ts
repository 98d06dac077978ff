import { beforeAll, describe, expect, it } from "vitest";
import { botClient, type Client, clientFor } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub({ rateLimit: 40 });
const repo = "/repos/acme/app";
let octocat: Client;
beforeAll(() => {
  octocat = clientFor(ground.github, ground.github.as("octocat").token);
});

function comments(number: number): string[] {
  return ground.github
    .state()
    .comments(number)
    .map((comment) => comment.body);
}

describe("reading", () => {
  it("returns an ETag, and 304 without a body until the object changes", async () => {
    const number = await ground.github.as("octocat").openIssue({ title: "Cached" });
    const path = `${repo}/issues/${number}`;
    const first = await octocat("GET", path);
    const etag = first.headers.get("etag") ?? "";
    const same = await octocat("GET", path, undefined, { "if-none-match": etag });
    expect([etag.startsWith('W/"'), same.status, same.text]).toEqual([true, 304, ""]);
    await ground.github.as("octocat").comment(number, "changes the count");
    expect((await octocat("GET", path, undefined, { "if-none-match": etag })).status).toBe(200);
  });

  it("answers 404 for unknown paths and 400 for broken JSON", async () => {
    expect((await octocat("GET", `${repo}/issues/9999`)).status).toBe(404);
    const broken = await fetch(`${ground.github.api}${repo}/issues`, { method: "POST", body: "{" });
    expect([broken.status, await broken.json()]).toEqual([400, { message: "Problems parsing JSON" }]);
  });

  it("logs each request with its caller", async () => {
    await octocat("GET", repo);
    expect(ground.github.requests().at(-1)).toMatchObject({
      method: "GET",
      path: repo,
      status: 200,
      actor: "octocat",
    });
  });
});

describe("the rate limit", () => {
  it("is in every answer, counts per token, and refuses requests beyond it", async () => {
    const bot = await botClient(ground.github);
    const first = await bot("GET", repo);
    expect(first.headers.get("x-ratelimit-limit")).toBe("40");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("39");
    expect((await bot("GET", "/rate_limit")).json["rate"]).toMatchObject({ limit: 40, remaining: 38 });
    let last = first;
    for (let count = 0; count < 39; count += 1) last = await bot("GET", `${repo}/labels`);
    expect([last.status, last.json["message"]]).toEqual([403, "API rate limit exceeded"]);
    expect(last.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(last.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now());
    expect((await (await botClient(ground.github))("GET", repo)).status).toBe(200);
  });
});

describe("faults", () => {
  it("answer another status before or after the write, as often as asked", async () => {
    const number = await ground.github.as("octocat").openIssue({ title: "Faults" });
    const path = `${repo}/issues/${number}/comments`;
    ground.github.faults.add({
      method: "POST",
      path: /\/comments$/,
      times: 2,
      kind: "status",
      status: 502,
      headers: { "retry-after": "1" },
    });
    ground.github.faults.add({
      method: "POST",
      path: /\/comments$/,
      kind: "status-after",
      status: 504,
      message: "Late",
    });
    const before = await octocat("POST", path, { body: "one" });
    expect([before.status, before.headers.get("retry-after"), comments(number)]).toEqual([502, "1", []]);
    expect((await octocat("GET", path)).status).toBe(200);
    await octocat("POST", path, { body: "two" });
    const after = await octocat("POST", path, { body: "three" });
    expect([after.status, after.json["message"], comments(number)]).toEqual([504, "Late", ["three"]]);
    expect((await octocat("POST", path, { body: "four" })).status).toBe(201);
    expect(ground.github.faults.left()).toBe(0);
  });

  it("can leave a completed write without an answer", async () => {
    const number = await ground.github.as("octocat").openIssue({ title: "Silence" });
    ground.github.faults.add({ path: /\/comments$/, kind: "silent-after" });
    const aborter = new AbortController();
    const asked = fetch(`${ground.github.api}${repo}/issues/${number}/comments`, {
      method: "POST",
      headers: { authorization: `Bearer ${ground.github.as("octocat").token}` },
      body: JSON.stringify({ body: "unheard" }),
      signal: aborter.signal,
    });
    await expect.poll(() => ground.github.requests().at(-1)).toMatchObject({ status: 0 });
    expect(comments(number)).toEqual(["unheard"]);
    aborter.abort(new Error("gave up"));
    await expect(asked).rejects.toThrow("gave up");
  });

  it("reset the connection before or after the write, and can be removed", async () => {
    const number = await ground.github.as("octocat").openIssue({ title: "Resets" });
    const path = `${repo}/issues/${number}/comments`;
    ground.github.faults.add({ path: /\/comments$/, kind: "reset-before" });
    ground.github.faults.add({ path: /\/comments$/, kind: "reset-after" });
    await expect(octocat("POST", path, { body: "before" })).rejects.toThrow("fetch failed");
    await expect(octocat("POST", path, { body: "after" })).rejects.toThrow("fetch failed");
    expect(comments(number)).toEqual(["after"]);
    expect(ground.github.requests().at(-1)).toMatchObject({ status: 0, actor: "octocat" });
    ground.github.faults.add({ path: /./, kind: "reset-before" });
    ground.github.faults.clear();
    expect((await octocat("GET", path)).status).toBe(200);
  });
});
