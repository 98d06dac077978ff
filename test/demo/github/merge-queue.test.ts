import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { startLocalGitHub } from "../../../src/demo/github/start.ts";
import { SILENT } from "../../adapters/github/mocked-github.ts";
import { checkGraphAnswer, checkGraphRequest } from "../../github-descriptions/check-graphql.ts";
import { watchGitHub } from "../../github-descriptions/watch.ts";

/** A pull request into a branch that only the queue merges into, and Flotilla's own adapter. */
async function aQueue() {
  const directory = await mkdtemp(join(tmpdir(), "flotilla-queue-"));
  const { observe, violations, seen } = watchGitHub();
  const faults: string[] = [];
  let asked: unknown;
  const local = await startLocalGitHub({
    directory,
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
    repositories: [{ name: "app", labels: [] }],
    people: { writer: "write", reader: "read" },
  });
  onTestFinished(async () => {
    await local.close();
    await rm(directory, { recursive: true });
    expect([violations, faults]).toEqual([[], []]);
  });
  const writer = local.as("writer");
  const { repository } = local.state();
  const ref = {
    id: repository.id,
    owner: repository.owner.login,
    name: repository.name,
    installationId: local.installation.id,
  };
  const github = createGitHub({
    appId: local.app.id,
    privateKey: local.app.privateKey,
    baseUrl: local.api,
    markerSecret: "secret of the markers",
    labels: [],
    clock: { now: Date.now, after: () => () => {} },
    log: SILENT,
    minted: () => {},
  });
  const opened = async (branch: string, files: Readonly<Record<string, string>>) => {
    const head = await writer.push(branch, files, `Work on ${branch}`);
    return { number: await writer.openPull({ title: `The ${branch}`, head: branch }), head };
  };
  /** A check reports on the commit that the queue made of the pull request. */
  const reports = async (number: number, state: "success" | "failure") => {
    const commit = repository.queue.find((entry) => entry.number === number)?.commit ?? "";
    await writer.call("POST", `/statuses/${commit}`, { state, context: "build" });
    return commit;
  };
  await writer.protect({ checks: ["build"], mergeQueue: true });
  const green = async (head: string) =>
    writer.call("POST", `/statuses/${head}`, { state: "success", context: "build" });
  return { local, writer, github, ref, opened, reports, green, seen };
}

it("takes a green pull request, and merges it when its own checks are green", async () => {
  const { github, ref, opened, reports, green, seen } = await aQueue();
  const { number, head } = await opened("one", { "one.md": "1\n" });
  expect(await github.mergeDemands(ref, "main")).toMatchObject({ queue: true });
  expect(await github.mergePull(ref, number, { head, method: "squash" })).toMatchObject({ kind: "refused" });
  expect(await github.enqueuePull(ref, number, { head })).toEqual({
    kind: "refused",
    reason: 'Required status check "build" is expected.',
  });
  await green(head);
  expect(await github.enqueuePull(ref, number, { head: "0".repeat(40) })).toMatchObject({ kind: "refused" });
  expect(await github.enqueuePull(ref, number, { head })).toEqual({ kind: "queued" });
  expect(await github.enqueuePull(ref, number, { head })).toEqual({ kind: "queued" });
  expect(await github.queuedPull(ref, number)).toEqual({ isIn: true, left: null });
  const commit = await reports(number, "success");
  expect(await github.mergeablePull(ref, number)).toMatchObject({ merged: true, mergeCommit: commit });
  expect((await github.queuedPull(ref, number)).left).toMatchObject({ reason: "merged", commit });
  expect(["enqueued", "dequeued"].map((action) => seen.webhooks.get(`pull_request.${action}`))).toEqual([
    1, 1,
  ]);
});

it("takes a pull request out whose checks fail, and tries what was behind it without it", async () => {
  const { github, ref, opened, reports, green } = await aQueue();
  const [one, two] = [await opened("one", { "a.md": "1\n" }), await opened("two", { "b.md": "2\n" })];
  for (const { number, head } of [one, two]) {
    await green(head);
    await github.enqueuePull(ref, number, { head });
  }
  const commit = await reports(one.number, "failure");
  expect(await github.queuedPull(ref, one.number)).toMatchObject({
    isIn: false,
    left: { reason: "failed_checks", by: "flotilla[bot]", commit },
  });
  expect((await github.checks(ref, commit)).map(({ name, state }) => [name, state])).toEqual([
    ["build", "red"],
  ]);
  await reports(two.number, "success");
  expect(await github.mergeablePull(ref, two.number)).toMatchObject({ merged: true });
});

it("takes a pull request out when a person or Flotilla does, when it gets a commit, and when it conflicts", async () => {
  const { writer, github, ref, opened, green, reports } = await aQueue();
  const { number, head } = await opened("one", { "a.md": "1\n" });
  await green(head);
  const enters = (commit: string) => github.enqueuePull(ref, number, { head: commit });
  const left = async () => (await github.queuedPull(ref, number)).left;
  await enters(head);
  await writer.dequeue(number);
  expect(await left()).toMatchObject({ reason: "manual", by: "writer" });
  await enters(head);
  await github.dequeuePull(ref, number);
  await github.dequeuePull(ref, number);
  expect(await left()).toMatchObject({ reason: "manual", by: "flotilla[bot]" });
  await enters(head);
  const next = await writer.push("one", { "a.md": "one\n" }, "More");
  expect(await left()).toMatchObject({ reason: "" });
  await green(next);
  await enters(next);
  await writer.push("main", { "a.md": "theirs\n" }, "Move on");
  await reports(number, "success");
  expect(await left()).toMatchObject({ reason: "merge_conflict" });
});

it("refuses those who may not merge, and what it does not know", async () => {
  const { local, github, ref } = await aQueue();
  await expect(github.queuedPull(ref, 99)).rejects.toMatchObject({ code: "not_found" });
  const url = local.api.replace("/v3", "/graphql");
  const asks = async (query: string) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${local.as("reader").token}` },
      body: JSON.stringify({ query }),
    });
    return JSON.stringify(await answer.json());
  };
  const pulls = 'repository(owner: "acme", name: "app") { pullRequest(number: 99) { id } }';
  expect(await asks(`query A { ${pulls} }`)).toContain("NOT_FOUND");
});

const of = (query: string, variables = {}) => checkGraphRequest({ query, variables });

it("the check of requests finds what GitHub does not describe", () => {
  expect(of('query A { repository(owner: "a", name: "b") { pullRequest(number: 1) { id } } }')).toEqual([]);
  expect(of('query A { repository(owner: "a") { pull { id } } }')).toEqual([
    "Query.repository: the argument name is missing",
    "Repository.pull is not described",
  ]);
  expect(of("mutation A { enqueuePullRequest(input: { id: 1 }) { mergeQueueEntry { id } } }")).toEqual([
    "Mutation.enqueuePullRequest(input): the argument id is not described",
    "Mutation.enqueuePullRequest(input): the argument pullRequestId is missing",
  ]);
});
