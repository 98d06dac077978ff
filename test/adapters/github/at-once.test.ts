import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { proved } from "../../proved.ts";
import { issueAnswer } from "./answers.ts";
import { NOON, PRIVATE_KEY, REPOSITORY, SILENT, stoppedClock } from "./mocked-github.ts";

test("never more than 100 requests are under way, and the last ten are for what a person waits for", async () => {
  const open: ServerResponse[] = [];
  let most = 0;
  const server = createServer((request, response) => {
    const json = (body: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.method === "POST" && request.url?.includes("access_tokens") === true)
      return void json({ token: "t", expires_at: new Date(NOON + 3_600_000).toISOString() });
    if (request.url?.endsWith("/issues/1") === true) return void json(issueAnswer(1));
    open.push(response);
    most = Math.max(most, open.length);
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const clock = stoppedClock();
  const github = createGitHub({
    appId: 12,
    privateKey: PRIVATE_KEY,
    baseUrl: `http://127.0.0.1:${port}`,
    markerSecret: "m",
    labels: [],
    minted: () => {},
    clock,
    log: SILENT,
  });
  // Its token is there; the answers below are held back until all are on their way.
  await github.issue(REPOSITORY, 1);
  const refused: unknown[] = [];
  const asked = Array.from({ length: 150 }, () => github.issue(REPOSITORY, 3).catch((e) => refused.push(e)));
  await expect.poll(() => [open.length, refused.length]).toEqual([90, 60]);
  expect(refused[0]).toMatchObject({ code: "rate_limited", consequence: "park", retryAt: NOON + 1000 });
  const people = Array.from({ length: 15 }, (_, one) =>
    github.permission(REPOSITORY, { login: `p${one}`, id: null }).catch((e) => refused.push(e)),
  );
  await expect.poll(() => [open.length, refused.length]).toEqual([100, 65]);
  for (const response of open.splice(0))
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(issueAnswer(3)));
  await Promise.all([...asked, ...people]);
  // What has ended leaves its place.
  await expect(github.issue(REPOSITORY, 1)).resolves.toMatchObject({ number: 1 });
  proved({
    promise: "GitHub never has more than 100 requests of ours at once",
    test: "test/adapters/github/at-once.test.ts",
    figure: `${most} at once of ${asked.length + people.length} wanted`,
  });
});
