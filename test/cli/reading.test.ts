import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { databaseIn } from "../../src/adapters/store/registry.ts";
import type { Command } from "../../src/cli/command.ts";
import { agents } from "../../src/cli/commands/agents.ts";
import { explain } from "../../src/cli/commands/explain.ts";
import { backUp } from "../../src/cli/commands/make-backup.ts";
import { workLinks } from "../../src/domain/conversation/last-steps.ts";
import { insertAgent, session } from "../adapters/store/samples.ts";
import { aRepository } from "../factories/an-occurrence.ts";
import { fileStore } from "../factories/file-store.ts";

let dataDir: string;
let store: OpenStore;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "reading-"));
  store = await fileStore(join(dataDir, "flotilla.db"));
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function say(args: readonly string[], options: Record<string, string | boolean>, command: Command) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const code = await command.run({
    env,
    cwd: "/",
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options,
    args,
  });
  return { code, text: lines.join("\n") };
}

test("explain tells the decisions of an issue, and of which repository it knows nothing", async () => {
  const seen = {
    id: 7,
    owner: "acme",
    name: "shop",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  };
  await store.repositories.put(seen);
  const why = { rule: "slot", reason: "all slots are in use", change: "a slot is free", inputs: {} } as const;
  const about = { at: 0, repositoryId: 7, issue: 42, agentId: null, delivery: null };
  await store.decisions.add({ ...about, ...why });
  expect(await say(["acme/shop#42"], {}, explain)).toMatchObject({
    code: 0,
    text: expect.stringContaining("all slots are in use (slot) → a slot is free"),
  });
  const json = await say(["acme/shop#42"], { json: true }, explain);
  expect(JSON.parse(json.text)).toMatchObject({ decisions: [{ rule: "slot", count: 1 }] });
  expect(await say(["acme/shop#43"], {}, explain)).toMatchObject({
    code: 0,
    text: expect.stringContaining("nothing was held back"),
  });
  expect(await say(["acme/none#1"], {}, explain)).toMatchObject({
    code: 1,
    text: expect.stringContaining("acme/none"),
  });
  expect(await say(["acme/shop"], {}, explain)).toMatchObject({ code: 1 });
});

test("show tells an agent's fields and the decisions about it", async () => {
  const { id: agentId } = await insertAgent(store, { issue: 42 });
  const why = { rule: "slot", reason: "all slots are in use", change: null, inputs: {} } as const;
  await store.decisions.add({ at: 0, repositoryId: 7, issue: 42, agentId, delivery: null, ...why });
  const shown = await say(["show", "acme/rocket:feat-dev-issue-42"], {}, agents);
  expect(shown.text).toMatch(/^key +acme\/rocket:feat-dev-issue-42$/m);
  expect(shown.text).toMatch(/^state +CREATED$/m);
  expect(shown.text).toMatch(/^decision +.*all slots are in use \(slot\) → /m);
  const json = await say(["show", "acme/rocket:feat-dev-issue-42"], { json: true }, agents);
  expect(JSON.parse(json.text)).toMatchObject({ agent: { issue: 42 }, decisions: [{ rule: "slot" }] });
  expect(await say(["show", "acme/rocket:none"], {}, agents)).toMatchObject({
    code: 1,
    text: expect.stringContaining("there is no agent acme/rocket:none"),
  });
  expect(await say(["show", "acme/rocket:feat-dev-issue-43"], {}, agents)).toEqual({
    code: 1,
    text: expect.stringMatching(/^issue #43 has no task \(task_not_found\)\n.*label the issue/),
  });
  expect(await say(["show"], {}, agents)).toMatchObject({
    code: 1,
    text: expect.stringContaining("flotilla agents show <agent>"),
  });
});

test("show tells which instructions and skills an agent was given, each once", async () => {
  const { id: agentId } = await insertAgent(store, { issue: 42 });
  const file = { path: "AGENTS.md", blob: "3f2a1b0c".repeat(5), shown: 9, note: null };
  const left = { path: "CLAUDE.md", blob: "a".repeat(40), shown: 0, note: "is a link and is not followed" };
  const skill = {
    path: "skills/sql",
    blob: "b".repeat(40),
    shown: 0,
    note: null,
    skill: "operator" as const,
  };
  for (const instructions of [[file], [file, left, skill]])
    await store.records.insert("session", session({ agentId, instructions }));
  const shown = await say(["show", "acme/rocket:feat-dev-issue-42"], {}, agents);
  expect(shown.text.match(/^instructions .*$/gm)).toEqual([
    "instructions       AGENTS.md 3f2a1b0",
    "instructions       CLAUDE.md aaaaaaa: is a link and is not followed",
  ]);
  expect(shown.text).toContain("\nskill              skills/sql bbbbbbb");
  const json = await say(["show", "acme/rocket:feat-dev-issue-42"], { json: true }, agents);
  expect(JSON.parse(json.text)).toMatchObject({ instructions: [file, left, skill] });
});

test("show tells which pictures an agent was shown, each once", async () => {
  const { id: agentId } = await insertAgent(store, { issue: 42 });
  const inIssue = {
    asset: "0a1b2c3d-0000-4000-8000-000000000000",
    alternative: "A red\u001b[31m page",
    place: { kind: "issue", number: 42 },
    hash: "3f2a1b0c".repeat(8),
  } as const;
  const inComment = {
    ...inIssue,
    asset: "ffffffff-0000-4000-8000-000000000000",
    alternative: "",
    place: { kind: "comment", number: 50, id: 9 },
  } as const;
  for (const pictures of [[inIssue], [inComment, inIssue]])
    await store.records.insert("session", session({ agentId, pictures }));
  const shown = await say(["show", "acme/rocket:feat-dev-issue-42"], {}, agents);
  expect(shown.text.match(/^picture .*$/gm)).toEqual([
    "picture            A red\\u001b[31m page 3f2a1b0, in #42",
    `picture            ${inComment.asset} 3f2a1b0, in a comment on #50`,
  ]);
  const json = await say(["show", "acme/rocket:feat-dev-issue-42"], { json: true }, agents);
  expect(JSON.parse(json.text)).toMatchObject({ pictures: [inIssue, inComment] });
});

test("show and explain tell how the work of an ended agent is restored, until that is removed", async () => {
  const { id: agentId } = await insertAgent(store, { issue: 42 });
  const row = { agentId, path: "archives/7/a.bundle", sha256: "a", bytes: 9, madeAt: 0, expiresAt: 60_000 };
  await store.archives.put({ ...row, removedAt: null });
  const restore = `git fetch '${dataDir}/archives/7/a.bundle' refs/flotilla/archives/feat-dev-issue-42:refs/heads/restored/feat-dev-issue-42 && git switch restored/feat-dev-issue-42`;
  const shown = await say(["show", "acme/rocket:feat-dev-issue-42"], {}, agents);
  expect(shown.text).toContain(`kept until 1970-01-01 00:01 UTC; in a clone: ${restore}`);
  expect((await say(["acme/rocket#42"], {}, explain)).text).toContain(restore);
  for (const args of [["show", "acme/rocket:feat-dev-issue-42"], ["acme/rocket#42"]] as const) {
    const command = args[0] === "show" ? agents : explain;
    const json = await say([...args], { json: true }, command);
    expect(JSON.parse(json.text)).toMatchObject({ archives: [{ restore, bytes: 9 }] });
  }
  await store.archives.removed(agentId, 70_000);
  expect((await say(["acme/rocket#42"], {}, explain)).text).not.toContain("restored/");
});

test("show tells the agents of two repositories apart", async () => {
  await store.repositories.put({ ...aRepository(), id: 8, owner: "acme", name: "other" });
  for (const repositoryId of [7, 8]) {
    const { id: agentId } = await insertAgent(store, { issue: 42, repositoryId });
    const why = { rule: "slot", reason: `in repository ${repositoryId}`, change: null, inputs: {} } as const;
    await store.decisions.add({ at: 0, repositoryId, issue: 42, agentId, delivery: null, ...why });
  }
  const shown = await say(["show", "acme/other:feat-dev-issue-42"], {}, agents);
  expect(shown.text).toMatch(/^decision +.*in repository 8 \(slot\)/m);
});

test("show tells the latest five decisions about the agent, and none about another of its issue", async () => {
  const { id } = await insertAgent(store, { issue: 42 });
  const why = { rule: "slot", change: null, inputs: {}, repositoryId: 7, issue: 42, delivery: null } as const;
  for (const reason of ["one", "two", "three", "four", "five", "six"])
    await store.decisions.add({ ...why, at: 0, agentId: id, reason });
  await store.decisions.add({ ...why, at: 0, agentId: null, reason: "of nobody" });
  const { text } = await say(["show", "acme/rocket:feat-dev-issue-42"], { json: true }, agents);
  const told: { decisions: { reason: string }[] } = JSON.parse(text);
  expect(told.decisions.map(({ reason }) => reason)).toEqual(["six", "five", "four", "three", "two"]);
});

test("list takes a state in any case, and says which there are", async () => {
  await insertAgent(store, { issue: 42 });
  const line = "acme/rocket:feat-dev-issue-42  CREATED      copilot    waits to start";
  expect(await say(["list"], { state: "created" }, agents)).toEqual({ code: 0, text: line });
  expect(await say(["list"], { state: "FAILED" }, agents)).toEqual({
    code: 0,
    text: "No agents that are FAILED.",
  });
  expect(await say(["list"], { state: "sideways" }, agents)).toEqual({
    code: 1,
    text: expect.stringMatching(/^There is no state "sideways"\. There are CREATED, ACTIVE, /),
  });
  expect(await say(["list", "ACTIVE"], {}, agents)).toMatchObject({
    code: 1,
    text: expect.stringContaining("--state"),
  });
});

const issuesOf = (text: string) => [...text.matchAll(/issue-(\d+)/g)].map(([, issue]) => issue);

test("list shows those of a state by how long they are in it, the longest first", async () => {
  const escalated = { state: "ESCALATED", reason: "it asks" } as const;
  await insertAgent(store, { ...escalated, issue: 42, sleepingSince: 3 });
  await insertAgent(store, { ...escalated, issue: 43, sleepingSince: 1 });
  await insertAgent(store, { ...escalated, issue: 44, sleepingSince: 2 });
  expect(issuesOf((await say(["list"], { state: "ESCALATED" }, agents)).text)).toEqual(["43", "44", "42"]);
  expect(issuesOf((await say(["list"], {}, agents)).text)).toEqual(["42", "43", "44"]);
});

test("list says first what is paused", async () => {
  await insertAgent(store, { issue: 42 });
  const pause = { scope: "all", holder: "person", by: "alice", reason: "too dear", since: 0 } as const;
  await store.scopePauses.add(pause);
  expect((await say([], {}, agents)).text.split("\n")).toEqual([
    "PAUSED: everything is paused by alice: too dear; `flotilla resume --all` lifts it.",
    "acme/rocket:feat-dev-issue-42  CREATED      copilot    waits to start (held: everything is paused by alice: too dear)",
  ]);
  expect(JSON.parse((await say(["list"], { json: true }, agents)).text)).toMatchObject({
    agents: [{ issue: 42 }],
    paused: [{ scope: "all", by: "alice" }],
  });
});

test("transcript, as the comment of an escalation names it, tells what the agent did, the oldest first", async () => {
  const agent = await insertAgent(store, { issue: 42 });
  const repository = await store.repositories.get(agent.repositoryId);
  const [link = ""] = workLinks(agent, repository ?? aRepository(), "main");
  const [, said = ""] = /`flotilla agents ([^`]+)`/.exec(link) ?? [];
  const about = { at: 0, agentId: agent.id, repositoryId: agent.repositoryId, issue: 42 };
  const call = { call: "c-1", tool: "bash" };
  const ended = { ...call, status: "failure", output: "1 failed", duration_ms: 3 } as const;
  await store.runEvents.add({
    ...about,
    event: { type: "tool:start", data: { ...call, input: "npm test" } },
  });
  await store.runEvents.add({ ...about, event: { type: "tool:result", data: ended } });
  const told = await say(said.split(" "), {}, agents);
  expect(told).toMatchObject({ code: 0 });
  expect(told.text.split("\n")).toEqual([
    expect.stringMatching(/ calls bash: npm test$/),
    expect.stringMatching(/ bash ended, failure: 1 failed$/),
  ]);
  const [first = ""] = (await say(said.split(" "), { json: true }, agents)).text.split("\n");
  expect(JSON.parse(first)).toMatchObject({ type: "tool:start", agent: "acme/rocket:feat-dev-issue-42" });
  expect(await say(["transcript", "acme/rocket:none"], {}, agents)).toMatchObject({
    code: 1,
    text: expect.stringContaining("there is no agent acme/rocket:none"),
  });
  const refused = await say(["transcript", "acme/rocket:none"], { json: true }, agents);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: "not_found" } });
  expect(await say(["transcript"], {}, agents)).toMatchObject({ code: 1 });
});

test("a command that reads, and a backup, say which version can read a database of another schema", async () => {
  const path = join(dataDir, "flotilla.db");
  const raw = new SqliteDatabase(path);
  raw.pragma("user_version = 99");
  raw.close();
  const refusal = {
    code: "other_schema",
    message: `${path} was written by a newer version of Flotilla (it has schema 99, and this version reads schema 26); nothing in it was changed.`,
    advice: expect.stringMatching(/^Start the version that wrote it, or put a backup .*\.$/),
  };
  await expect(say(["acme/shop#42"], {}, explain)).rejects.toMatchObject(refusal);
  await expect(
    backUp({
      dataDir,
      database: databaseIn({ variables: {}, dataDir }),
      to: join(dataDir, "copy"),
      now: 0,
    }),
  ).rejects.toMatchObject(refusal);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("copy"))).toEqual([]);
});

test.each([
  ["is no database", () => Buffer.alloc(4096, "no database")],
  ["was cut off", (whole: Buffer) => whole.subarray(0, 8192)],
  ["is empty", () => Buffer.alloc(0)],
])("commands that read a database that %s say what to do, and change nothing", async (_what, damage) => {
  await store.close();
  const path = join(dataDir, "flotilla.db");
  for (const suffix of ["-wal", "-shm", "-inbox"]) rmSync(`${path}${suffix}`, { force: true });
  const damaged = damage(readFileSync(path));
  writeFileSync(path, damaged);
  const said = {
    message: expect.stringMatching(/flotilla\.db cannot be read \(.+\)\.$/),
    advice: expect.stringContaining("flotilla doctor"),
  };
  await expect(say(["list"], {}, agents)).rejects.toMatchObject(said);
  await expect(say(["acme/shop#42"], {}, explain)).rejects.toMatchObject(said);
  const copy = {
    dataDir,
    database: databaseIn({ variables: {}, dataDir }),
    to: join(dataDir, "copy"),
    now: 0,
  };
  await expect(backUp(copy)).rejects.toMatchObject(said);
  expect(readdirSync(dataDir)).not.toContain("copy");
  expect(readFileSync(path)).toEqual(damaged);
  store = await fileStore(join(dataDir, "other.db"));
});
