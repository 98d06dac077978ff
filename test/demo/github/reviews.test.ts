import { beforeAll, describe, expect, it } from "vitest";
import { botClient, type Client, clientFor } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
let number: number;
beforeAll(async () => {
  bot = await botClient(ground.github);
  await ground.github.as("octocat").push("topic", { "src/a.txt": "one\nzwei\nthree\n" }, "Work");
  number = Number(
    (await bot("POST", `${repo}/pulls`, { title: "T", head: "topic", base: "main" })).json["number"],
  );
});

async function review(event: string): Promise<number> {
  return (await bot("POST", `${repo}/pulls/${number}/reviews`, { event, body: "hm" })).status;
}

describe("reviews", () => {
  it("by the App on its own pull request may comment, but not approve or request changes", async () => {
    expect([await review("APPROVE"), await review("REQUEST_CHANGES"), await review("COMMENT")]).toEqual([
      422, 422, 200,
    ]);
    expect(await ground.heard()).toEqual(["pull_request_review.submitted"]);
  });

  it("by a person are listed and sent with a lower-case state", async () => {
    await ground.github.as("boss").review(number, { event: "APPROVE" });
    expect(await ground.heard()).toEqual(["pull_request_review.submitted"]);
    expect(ground.receiver.received.at(-1)?.payload).toMatchObject({
      review: { state: "approved", user: { login: "boss" } },
    });
    const { list } = await bot("GET", `${repo}/pulls/${number}/reviews`);
    expect(list.at(-1)).toMatchObject({
      state: "APPROVED",
      commit_id: ground.github.state().pull(number).pull.headSha,
    });
    await expect(ground.github.as("boss").review(number, { event: "REQUEST_CHANGES" })).rejects.toMatchObject(
      { status: 422 },
    );
  });

  it("carry inline comments with the hunk that they are about", async () => {
    const boss = clientFor(ground.github, ground.github.as("boss").token);
    const comments = [{ path: "src/a.txt", line: 2, body: "English, please" }];
    expect(
      (await boss("POST", `${repo}/pulls/${number}/reviews`, { event: "REQUEST_CHANGES", comments })).status,
    ).toBe(200);
    const commit_id = ground.github.state().pull(number).pull.headSha;
    const left = { path: "src/a.txt", line: 2, side: "LEFT", body: "Was fine", commit_id };
    expect((await boss("POST", `${repo}/pulls/${number}/comments`, left)).status).toBe(201);
    const shown = await boss("GET", `${repo}/pulls/${number}/comments`);
    expect(shown.list.map((comment) => comment["diff_hunk"])).toEqual([
      "@@ -1,3 +1,3 @@\n one\n-two\n+zwei",
      "@@ -1,3 +1,3 @@\n one\n-two",
    ]);
    expect(await ground.heard()).toEqual([
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
    ]);
  });

  it("on a line accept each reaction once per account", async () => {
    const octocat = clientFor(ground.github, ground.github.as("octocat").token);
    const commit_id = ground.github.state().pull(number).pull.headSha;
    const line = { path: "src/a.txt", line: 1, body: "Why?", commit_id };
    const { id } = (await octocat("POST", `${repo}/pulls/${number}/comments`, line)).json;
    const path = `${repo}/pulls/comments/${String(id)}/reactions`;
    expect((await bot("POST", path, { content: "+1" })).status).toBe(201);
    expect((await bot("POST", path, { content: "+1" })).status).toBe(200);
    expect((await octocat("POST", path, { content: "+1" })).status).toBe(201);
    expect((await octocat("GET", path)).list).toMatchObject([{ content: "+1" }, { content: "+1" }]);
    expect((await bot("POST", `${repo}/pulls/comments/999999/reactions`, { content: "+1" })).status).toBe(
      404,
    );
    const shown = await octocat("GET", `${repo}/pulls/${number}/comments`);
    expect(shown.list.at(-1)).toMatchObject({ reactions: { total_count: 2, "+1": 2 } });
    await ground.heard();
  });

  it("refuse an inline comment on a line that the diff does not show", async () => {
    const boss = clientFor(ground.github, ground.github.as("boss").token);
    const send = async (comment: object): Promise<number> =>
      (
        await boss("POST", `${repo}/pulls/${number}/reviews`, {
          event: "COMMENT",
          body: "b",
          comments: [comment],
        })
      ).status;
    expect([
      await send({ path: "README.md", line: 1, body: "x" }),
      await send({ path: "src/a.txt", line: 77, body: "x" }),
    ]).toEqual([422, 422]);
    const commit_id = ground.github.state().pull(number).pull.headSha;
    const alone = { path: "src/a.txt", line: 77, body: "x", commit_id };
    expect((await boss("POST", `${repo}/pulls/${number}/comments`, alone)).json["message"]).toBe(
      "Validation Failed",
    );
    expect(await ground.heard()).toEqual([]);
  });
});
