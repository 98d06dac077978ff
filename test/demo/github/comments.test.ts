import { describe, expect, it } from "vitest";
import { botClient, clientFor } from "./client.ts";
import { useGitHub } from "./setup.ts";

let clock = Date.parse("2026-03-01T00:00:00Z");
const ground = useGitHub({ now: () => clock });
const repo = "/repos/acme/app";

describe("comments", () => {
  it("are written, edited and deleted, with one webhook each", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "Talk" });
    const id = await octocat.comment(number, "first");
    await octocat.editComment(id, "second");
    await octocat.editComment(id, "second");
    expect(
      ground.github
        .state()
        .comments(number)
        .map((comment) => comment.body),
    ).toEqual(["second"]);
    await octocat.deleteComment(id);
    expect(await ground.heard()).toEqual([
      "issues.opened",
      "issue_comment.created",
      "issue_comment.edited",
      "issue_comment.deleted",
    ]);
    expect(ground.receiver.received.at(-2)?.payload["changes"]).toEqual({ body: { from: "first" } });
  });

  it("are a bot's where the login ends as a bot's does", async () => {
    const number = await ground.github.as("octocat").openIssue({ title: "Noise" });
    ground.github.person("noisy[bot]", { permission: "write" });
    await ground.github.as("noisy[bot]").comment(number, "hello");
    await ground.heard();
    const { sender } = ground.receiver.received.at(-1)?.payload ?? {};
    expect(sender).toMatchObject({ login: "noisy[bot]", type: "Bot" });
  });

  it("may be changed by their author and by people with write access, not by readers", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "Mine" });
    const id = await octocat.comment(number, "mine");
    await expect(ground.github.as("reader").editComment(id, "hers")).rejects.toMatchObject({ status: 403 });
    await ground.github.as("boss").editComment(id, "moderated");
    await expect(octocat.comment(number, "")).rejects.toMatchObject({ status: 422 });
    await expect(octocat.comment(9999, "where?")).rejects.toMatchObject({ status: 404 });
  });

  it("are listed in pages with Link headers, and since a given time", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "Long" });
    for (const body of ["1", "2", "3", "4", "5"]) await octocat.comment(number, body);
    const bot = await botClient(ground.github, undefined, clock);
    const path = `${repo}/issues/${number}/comments`;
    const second = await bot("GET", `${path}?per_page=2&page=2`);
    expect(second.list.map((comment) => comment["body"])).toEqual(["3", "4"]);
    const link = second.headers.get("link") ?? "";
    expect(link.match(/rel="(\w+)"/g)).toEqual(['rel="prev"', 'rel="next"', 'rel="last"', 'rel="first"']);
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1]?.replace(ground.github.api, "") ?? "";
    expect((await bot("GET", next)).list.map((comment) => comment["body"])).toEqual(["5"]);
    expect((await bot("GET", next)).headers.get("link")).not.toContain('rel="next"');
    clock += 60_000;
    await octocat.comment(number, "late");
    const since = new Date(clock).toISOString();
    expect((await bot("GET", `${path}?since=${since}`)).list.map((comment) => comment["body"])).toEqual([
      "late",
    ]);
    expect((await bot("GET", `${repo}/issues/comments?since=${since}`)).list).toHaveLength(1);
  });

  it("accept each reaction once per account", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "React" });
    const id = await octocat.comment(number, "hello");
    const bot = await botClient(ground.github, undefined, clock);
    const path = `${repo}/issues/comments/${id}/reactions`;
    const first = await bot("POST", path, { content: "eyes" });
    const again = await bot("POST", path, { content: "eyes" });
    expect([first.status, again.status, again.json["id"]]).toEqual([201, 200, first.json["id"]]);
    expect((await bot("GET", `${repo}/issues/comments/${id}`)).json["reactions"]).toMatchObject({
      eyes: 1,
      total_count: 1,
    });
    expect((await bot("DELETE", `${path}/${String(first.json["id"])}`)).status).toBe(204);
    expect((await bot("GET", path)).list).toEqual([]);
    expect((await bot("POST", `${repo}/issues/${number}/reactions`, { content: "+1" })).status).toBe(201);
    const reader = clientFor(ground.github, ground.github.as("reader").token);
    const [thumb] = (await reader("GET", `${repo}/issues/${number}/reactions`)).list;
    expect(
      (await reader("DELETE", `${repo}/issues/${number}/reactions/${String(thumb?.["id"])}`)).status,
    ).toBe(403);
    expect((await bot("DELETE", `${repo}/issues/${number}/reactions/${String(thumb?.["id"])}`)).status).toBe(
      204,
    );
  });
});
