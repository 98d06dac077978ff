import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";

let harness: RealHarness;
let runs = 0;
const ref = () => ({ repository: harness.repository, name: NAME, branch: BRANCH });
const onServer = (args: readonly string[], input = "") =>
  execFileSync("git", [`--git-dir=${join(harness.dataDir, "..", "server", "octo/app.git")}`, ...args], {
    input,
    encoding: "utf8",
  }).trim();

beforeAll(async () => {
  harness = await realHarness();
  await harness.worktrees.prepare(ref(), FRESH);
});
afterAll(() => harness.close());

/** A person's commit with a file of that name on top of what the branch is now, pushed while we wait. */
function personPushes(file: string): string {
  const heads = ["for-each-ref", "--format=%(objectname)", `refs/heads/${BRANCH}`, "refs/heads/main"];
  const [head = ""] = onServer(heads).split("\n");
  const commit = `commit refs/heads/${BRANCH}\ncommitter A person <person@example.com> 1700000000 +0000\ndata 4\nwork`;
  onServer(["fast-import", "--quiet"], `${commit}\nfrom ${head}\nM 100644 inline ${file}\ndata 2\np\n`);
  return onServer(["rev-parse", BRANCH]);
}

/** As the outbox meets it: other work is put under ours first, a ref that moved at the same moment is tried again as it is. */
function refusal(error: unknown): string {
  if (!(error instanceof GitError)) throw error;
  expect(["foreign_commits tell", "server_ref_moved retry"]).toContain(`${error.code} ${error.consequence}`);
  return error.code;
}

/** The agent's work goes to the server, on top of what was pushed before, while a person pushes before each of the named requests. */
async function pushedAmid(at: (request: number) => boolean, tries = 5) {
  runs += 1;
  let request = 0;
  const theirs = new Map<string, string>();
  harness.server.onRequest = ({ headers }) => {
    // Without its token a request reads and changes nothing.
    if (headers.authorization === undefined) return;
    request += 1;
    const file = `theirs-${runs}-${request}.txt`;
    if (at(request)) theirs.set(file, personPushes(file));
  };
  const mine = `mine-${runs}.txt`;
  await harness.write(NAME, mine, "m\n");
  let ends = "not yet";
  for (let attempt = 0; attempt < tries && ends !== "pushed"; attempt += 1) {
    if (ends === "foreign_commits") await harness.worktrees.prepare(ref(), { base: null, reusePushed: true });
    await harness.worktrees.commit(ref(), { message: "work", author: AUTHOR });
    ends = await harness.worktrees.push(ref()).then(() => "pushed", refusal);
  }
  harness.server.onRequest = null;
  const history = onServer(["rev-list", BRANCH]).split("\n");
  const files = onServer(["ls-tree", "--name-only", BRANCH]).split("\n");
  return {
    pushed: ends === "pushed",
    requests: request,
    overwritten: [...theirs].filter(([file, commit]) => !history.includes(commit) || !files.includes(file)),
    theirs: theirs.size,
    mine: files.includes(mine),
  };
}

it("overwrites no commit that a person pushes before any request of our push and of our rebuild on top of it", {
  timeout: 60_000,
}, async () => {
  const clean = await pushedAmid(() => false);
  expect(clean).toMatchObject({ pushed: true, mine: true });
  let longest = 0;
  for (let first = 1; first <= clean.requests; first += 1) {
    const seen = await pushedAmid((request) => request === first);
    expect(seen).toMatchObject({ pushed: true, mine: true, theirs: 1, overwritten: [] });
    if (first === 1) longest = seen.requests;
  }
  expect(longest).toBeGreaterThan(clean.requests);
  for (let second = clean.requests + 1; second <= longest; second += 1) {
    const seen = await pushedAmid((request) => request === 1 || request === second);
    expect(seen, `a second push before request ${second}`).toMatchObject({
      pushed: true,
      mine: true,
      theirs: 2,
      overwritten: [],
    });
  }
});

it("gives way to a person who never stops pushing, and keeps what it could not push", {
  timeout: 60_000,
}, async () => {
  const seen = await pushedAmid(() => true, 2);
  expect(seen).toMatchObject({ pushed: false, mine: false, overwritten: [] });
  expect(await harness.read(NAME, `mine-${runs}.txt`)).toBe("m\n");
});
