import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import { gitHubContract } from "../../contracts/github.ts";
import type { GitHubWorld } from "../../contracts/github-world.ts";
import { botClient } from "../../demo/github/client.ts";
import { watchGitHub } from "../../github-descriptions/watch.ts";
import { SILENT } from "./mocked-github.ts";

/** Where the things are made whose making the contract wants to be lost. */
const MADE_AT = {
  putComment: /\/issues\/\d+\/comments$/,
  openPullRequest: /\/pulls$/,
  addFileOnBranch: /\/git\/refs$/,
};

const { observe, violations, seen } = watchGitHub();

gitHubContract("REST against the local GitHub", async () => {
  const directory = await mkdtemp(join(tmpdir(), "flotilla-github-"));
  const local = await startLocalGitHub({
    directory,
    observe,
    repositories: [{ name: "app", labels: ["bug"] }],
    people: { writer: "write", reader: "read" },
  });
  local.person("stranger", { permission: "none" });
  return worldOf(local, async () => {
    await local.close();
    await rm(directory, { recursive: true });
  });
});

// The last test of the file: it looks at all that the ones above have sent and been answered.
it("sends and is answered nothing but what GitHub's own descriptions allow", () => {
  expect(seen.requests).toBeGreaterThan(100);
  expect(violations).toEqual([]);
});

function worldOf(local: LocalGitHub, close: () => Promise<void>): GitHubWorld {
  const writer = local.as("writer");
  const { repository } = local.state();
  return {
    close,
    repository: {
      id: repository.id,
      owner: repository.owner.login,
      name: repository.name,
      installationId: local.installation.id,
    },
    github: createGitHub({
      appId: local.app.id,
      privateKey: local.app.privateKey,
      baseUrl: local.api,
      markerSecret: "secret of the markers",
      labels: [{ name: "needs-human", color: "#d93f0b", description: "A person must act" }],
      clock: { now: Date.now, after: wallClockTimer },
      log: SILENT,
      minted: () => {},
    }),
    openIssue: writer.openIssue,
    closeIssue: writer.close,
    assign: writer.assign,
    unlabel: writer.unlabel,
    review: writer.review,
    makePart: async (parent, child) => {
      const { id } = await writer.call("GET", `/issues/${child}`);
      await writer.call("POST", `/issues/${parent}/sub_issues`, { sub_issue_id: id });
    },
    comment: writer.comment,
    async branch(name, { ahead }) {
      if (ahead) return void (await writer.push(name, { [`${name}.md`]: "Text\n" }, "Add a page"));
      const main = await writer.call("GET", "/commits/main");
      await writer.call("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: main["sha"] });
    },
    putFile: async (path, content) => void (await writer.push("main", { [path]: content }, `Add ${path}`)),
    openPull: (head) => writer.openPull({ title: "Theirs", head }),
    async reviewComment(pull, { path, body }) {
      const { head } = await writer.call("GET", `/pulls/${pull}`);
      const commit_id = Reflect.get(Object(head), "sha");
      await writer.call("POST", `/pulls/${pull}/comments`, { commit_id, path, body, line: 1, side: "RIGHT" });
    },
    report: async (branch, { name, kind, state }) => {
      const app = await botClient(local);
      const repo = `/repos/${repository.owner.login}/${repository.name}`;
      const commit = String((await writer.call("GET", `/commits/${branch}`))["sha"]);
      const word = { pending: "pending", green: "success", red: "failure" }[state];
      if (kind === "status") await app("POST", `${repo}/statuses/${commit}`, { context: name, state: word });
      const known = repository.checkRuns.find((run) => run.headSha === commit && run.name === name);
      const wanted = state === "pending" ? { status: "in_progress" } : { conclusion: word };
      if (kind === "run" && known === undefined)
        await app("POST", `${repo}/check-runs`, { name, head_sha: commit, ...wanted });
      else if (kind === "run") await app("PATCH", `${repo}/check-runs/${known?.id}`, wanted);
      return commit;
    },
    failJob: async (branch, job) => {
      const commit = String((await writer.call("GET", `/commits/${branch}`))["sha"]);
      await writer.runJob(commit, { ...job, conclusion: "failure" });
      return commit;
    },
    holdWorkflows: async (branch) => {
      const commit = String((await writer.call("GET", `/commits/${branch}`))["sha"]);
      writer.holdWorkflows(commit);
      return commit;
    },
    protect: writer.protect,
    closePull: writer.closePull,
    mergePull: async (number) => void (await writer.merge(number)),
    labelColor: async (name) => repository.labels.find((label) => label.name === name)?.color,
    loseNextWrite: (method, when) =>
      local.faults.add({ method: "POST", path: MADE_AT[method], kind: `reset-${when}` }),
    writes: () =>
      local
        .requests()
        .filter(({ actor, method }) => actor === local.app.bot.login && !["GET", "HEAD"].includes(method))
        .length,
  };
}

function wallClockTimer(ms: number, fn: () => void): () => void {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
}
