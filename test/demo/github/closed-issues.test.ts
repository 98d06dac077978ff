import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import type { ClosedIssue } from "../../../src/domain/ports/closed-issues.ts";
import { SILENT } from "../../adapters/github/mocked-github.ts";
import { checkGraphAnswer } from "../../github-descriptions/check-graphql.ts";
import { watchGitHub } from "../../github-descriptions/watch.ts";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
let now = BEGIN;
let local: LocalGitHub;

/** Starts a GitHub; every request and answer is checked against GitHub's own description when the test ends. */
async function begin(): Promise<void> {
  now = BEGIN;
  const directory = await mkdtemp(join(tmpdir(), "flotilla-closed-"));
  const { observe, violations } = watchGitHub();
  const faults: string[] = [];
  let asked: unknown;
  local = await startLocalGitHub({
    directory,
    now: () => now,
    observe: {
      ...observe,
      request: (request) => {
        if (request.path === "/graphql") asked = request.body;
        observe.request?.(request);
      },
      response: (response) => {
        if (response.path === "/graphql") faults.push(...checkGraphAnswer(asked, response.body));
        observe.response?.(response);
      },
    },
    people: { writer: "write", reader: "read" },
  });
  onTestFinished(async () => {
    await local.close();
    await rm(directory, { recursive: true });
    expect([violations, faults]).toEqual([[], []]);
  });
}

/** All closed issues, as the adapter reads them. */
function closedIssues(): Promise<readonly ClosedIssue[]> {
  const { repository } = local.state();
  const github = createGitHub({
    appId: local.app.id,
    privateKey: local.app.privateKey,
    baseUrl: local.api,
    markerSecret: "",
    level: () => "observe",
    labels: [],
    clock: { now: () => now, after: () => () => {} },
    log: SILENT,
    minted: () => {},
  });
  const { id, name, owner } = repository;
  const ref = { id, owner: owner.login, name, installationId: local.installation.id };
  return Array.fromAsync(github.closedIssues(ref));
}

/** Lets an hour pass. */
async function later<T>(act: () => Promise<T>): Promise<T> {
  now += HOUR;
  return act();
}

it("reads how an issue read at each time, and the pull request that solved it", async () => {
  await begin();
  const [writer, reader] = [local.as("writer"), local.as("reader")];
  const issue = await reader.openIssue({ title: "Old title", body: "First." });
  const comment = await later(() => reader.comment(issue, "Here too."));
  const head = await later(() => writer.push("topic/fix", { "a.js": "1\n" }, "Fix"));
  const pull = await later(() =>
    writer.openPull({ title: "Fix", head: "topic/fix", body: `Fixes #${issue}` }),
  );
  await later(() => reader.edit(issue, { body: "Second." }));
  await later(() => reader.edit(issue, { title: "New title", body: "Third." }));
  await later(() => reader.editComment(comment, "Here too, see the fix."));
  const merge = await later(() => writer.merge(pull, "squash"));
  expect(await closedIssues()).toEqual([
    {
      number: issue,
      title: "New title",
      titles: [{ until: BEGIN + 5 * HOUR, title: "Old title" }],
      author: "reader",
      body: {
        text: "Third.",
        createdAt: BEGIN,
        lastEditedAt: BEGIN + 5 * HOUR,
        versions: [
          { at: BEGIN + 5 * HOUR, text: "Third." },
          { at: BEGIN + 4 * HOUR, text: "Second." },
          { at: BEGIN, text: "First." },
        ],
      },
      comments: [
        {
          author: "reader",
          body: {
            text: "Here too, see the fix.",
            createdAt: BEGIN + HOUR,
            lastEditedAt: BEGIN + 6 * HOUR,
            versions: [
              { at: BEGIN + 6 * HOUR, text: "Here too, see the fix." },
              { at: BEGIN + HOUR, text: "Here too." },
            ],
          },
        },
      ],
      pull: { number: pull, createdAt: BEGIN + 3 * HOUR, head, branch: "topic/fix", merge, closes: 1 },
    },
  ]);
});

it("knows no solution of an issue that a person closed, unless GitHub links one", async () => {
  await begin();
  const writer = local.as("writer");
  const plain = await writer.openIssue({ title: "No fault" });
  await writer.close(plain, "not_planned");
  const both = await writer.openIssue({ title: "Solved, reopened, closed" });
  await writer.push("fix", { "a.js": "1\n" }, "Fix");
  const pull = await writer.openPull({
    title: "Fix",
    head: "fix",
    body: `Fixes #${both} and closes #${plain}`,
  });
  expect((await closedIssues()).map((issue) => [issue.number, issue.pull])).toEqual([[plain, null]]);
  await writer.merge(pull);
  await writer.reopen(both);
  await writer.close(both);
  await writer.openIssue({ title: "Still open" });
  expect(
    (await closedIssues()).map((issue) => [issue.number, issue.pull?.number, issue.pull?.closes]),
  ).toEqual([
    [both, pull, 2],
    [plain, pull, 2],
  ]);
});

it("reads page by page, the newest first", async () => {
  await begin();
  const writer = local.as("writer");
  const numbers: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    const number = await writer.openIssue({ title: `Issue ${index}` });
    await writer.close(number);
    numbers.push(number);
  }
  expect((await closedIssues()).map(({ number }) => number)).toEqual(numbers.toReversed());
  expect(local.requests().filter(({ path }) => path.endsWith("/graphql"))).toHaveLength(2);
});
