import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { tasks } from "../../src/cli/commands/tasks.ts";
import { newTaskRecord } from "../../src/domain/tasks/task-record.ts";
import { insertAgent, repository } from "../adapters/store/samples.ts";
import { fileStore } from "../factories/file-store.ts";

let dataDir: string;
let store: OpenStore;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tasks-"));
  store = await fileStore(join(dataDir, "flotilla.db"));
  await store.repositories.put(repository);
  const agent = await insertAgent(store, { name: "feat-dev-issue-4", role: "feat-dev", issue: 4 });
  const of = { ...newTaskRecord, repositoryId: repository.id };
  await store.records.insert("task", { ...of, issue: 3, title: "A style", state: "UNCLAIMED", createdAt: 1 });
  await store.records.insert("task", {
    ...of,
    issue: 4,
    title: "A page",
    state: "REJECTED",
    assigneeId: agent.id,
    rejectionReason: "the page has no title",
    blockedReason: "it was blocked once",
    reviewCyclesTotal: 2,
    createdAt: 1000,
  });
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function say(options: Record<string, string | boolean>, args: readonly string[] = []) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const code = await tasks.run({
    env,
    cwd: "/",
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options,
    args,
  });
  return { code, lines };
}

test("lists each task with its coder, and why it stands where it stands", async () => {
  const name = `${repository.owner}/${repository.name}`;
  expect(await say({})).toEqual({
    code: 0,
    lines: [
      `${name}#3  UNCLAIMED                    A style`,
      `${name}#4  REJECTED   feat-dev-issue-4  A page  the page has no title  → no agent works on this: \`/flotilla start [role]\` has an agent work on it`,
    ],
  });
});

test("lists those in one state, however it is typed, and says when there is none or no such state", async () => {
  expect((await say({ state: "rejected" })).lines).toHaveLength(1);
  expect(await say({ state: "MERGED" })).toEqual({ code: 0, lines: ["No tasks that are MERGED."] });
  expect(await say({ state: "DONE" })).toMatchObject({ code: 1, lines: [expect.stringContaining("MERGED")] });
  expect(await say({}, ["4"])).toMatchObject({ code: 1, lines: [expect.stringContaining("flotilla tasks")] });
});

test("gives a program what the API gives", async () => {
  const { lines } = await say({ json: true, state: "REJECTED" });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    tasks: [
      {
        repository: `${repository.owner}/${repository.name}`,
        issue: 4,
        agent: "feat-dev-issue-4",
        reason: "the page has no title",
        review_cycles: 2,
        created_at: "1970-01-01T00:00:01.000Z",
      },
    ],
  });
});
