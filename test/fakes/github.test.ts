import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { gitHubContract } from "../contracts/github.ts";
import { createFakeGitHub } from "./github.ts";
import { addComment, addIssue, addPull, addReview, close, happened, person } from "./github-world.ts";

const REPOSITORY = { id: 77, owner: "octo", name: "shop", installationId: 5 };
const clock = { now: () => Date.parse("2026-01-01T12:00:00Z"), after: () => () => {} };
const lost = new GitHubError("unavailable", "No answer", 0, { consequence: "retry", uncertain: true });

function fake() {
  const github = createFakeGitHub({ clock, labels: { "needs-human": "d93f0b" } });
  return { github, repository: github.add(REPOSITORY) };
}

gitHubContract("in memory", async () => {
  const { github, repository } = fake();
  const author = person("writer");
  repository.permissions.set("writer", "write").set("reader", "read");
  return {
    github,
    repository: REPOSITORY,
    openIssue: async (issue) => addIssue(repository, { ...issue, author }).number,
    closeIssue: async (number) => close(repository, number, { by: author, at: clock.now() }),
    assign: async (number, login) => {
      const pull = repository.pulls.get(number);
      if (pull !== undefined) pull.asked = [login];
      happened(repository, number, "assigned", { by: author, at: clock.now(), assignee: person(login) });
    },
    unlabel: async (number, label) =>
      void happened(repository, number, "unlabeled", { by: author, at: clock.now(), label }),
    review: async (pull, { event, body }) => {
      const verdict = event === "COMMENT" ? "commented" : "changes_requested";
      addReview(repository, pull, { by: author, at: clock.now(), verdict, body });
    },
    protect: ({ checks, ...demands }) => {
      repository.requiredChecks = checks;
      repository.mergeDemands = demands;
      for (const number of repository.pulls.keys())
        if (checks.length > 0) repository.mergeStates.set(number, "blocked");
        else repository.mergeStates.delete(number);
    },
    makePart: async (parent, child) => void repository.parents.set(child, parent),
    comment: async (number, body) => addComment(repository, number, { body, author, at: clock.now() }).id,
    branch: async (name, { ahead }) => {
      if (!ahead) return;
      repository.branchesAhead.add(name);
      repository.changedFiles.set(name, [`${name}.md`]);
    },
    putFile: async (path, content) => void repository.files.set(path, content),
    openPull: async (head) =>
      addPull(repository, { title: "Theirs", body: "", head, base: "main", draft: false, author }).number,
    async reviewComment(pull, { path, body }) {
      const said = repository.reviewComments.get(pull) ?? [];
      const createdAt = new Date(clock.now()).toISOString();
      const url = `https://github.test/pull/${pull}#r${said.length}`;
      repository.reviewComments.set(pull, [
        ...said,
        { id: said.length, body, author, createdAt, url, path, line: 1 },
      ]);
    },
    async report(branch, { name, state }) {
      const commit = createHash("sha1").update(branch).digest("hex");
      const others = (repository.checks.get(commit) ?? []).filter((check) => check.name !== name);
      const conclusion = { pending: "in_progress", green: "success", red: "failure" }[state];
      repository.checks.set(commit, [
        ...others,
        { name, state, conclusion, changedAt: new Date(clock.now()).toISOString() },
      ]);
      return commit;
    },
    async failJob(branch, { name, ...job }) {
      const commit = createHash("sha1").update(branch).digest("hex");
      const id = repository.failedJobs.size + 1;
      repository.failedJobs.set(id, { name, ...job });
      repository.checks.set(commit, [
        {
          name,
          state: "red",
          conclusion: "failure",
          run: { id, job: true },
          changedAt: new Date(0).toISOString(),
        },
      ]);
      return commit;
    },
    async holdWorkflows(branch) {
      const commit = createHash("sha1").update(branch).digest("hex");
      repository.awaitingApproval.add(commit);
      return commit;
    },
    closePull: async (number) => close(repository, number),
    mergePull: async (number) => close(repository, number, { merged: true, by: author }),
    labelColor: async (name) => repository.labels.get(name),
    loseNextWrite: (method, when) => github.failNext(method, lost, when),
    writes: () => github.writes.length,
    close: async () => {},
  };
});

it("gives a copy: what a caller does with it changes nothing", async () => {
  const { github, repository } = fake();
  const { number } = addIssue(repository, { title: "Mine", author: person("writer") });
  Object.assign(await github.issue(REPOSITORY, number), { title: "Theirs" });
  expect((await github.issue(REPOSITORY, number)).title).toBe("Mine");
});

it("fails the method that it was told to fail, once", async () => {
  const { github } = fake();
  github.failNext("repository", lost, "before");
  await expect(github.identity()).resolves.toMatchObject({ slug: "flotilla" });
  await expect(github.repository(REPOSITORY)).rejects.toBe(lost);
  await expect(github.repository(REPOSITORY)).resolves.toMatchObject({ id: 77 });
});
