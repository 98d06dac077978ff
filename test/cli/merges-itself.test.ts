import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import type { Command } from "../../src/cli/command.ts";
import { agents } from "../../src/cli/commands/agents.ts";
import { explain } from "../../src/cli/commands/explain.ts";
import { goals } from "../../src/cli/commands/goals.ts";
import { tasks } from "../../src/cli/commands/tasks.ts";
import { newTaskRecord } from "../../src/domain/tasks/task-record.ts";
import { insertAgent, repository } from "../adapters/store/samples.ts";
import { fileStore } from "../factories/file-store.ts";

let dataDir: string;
let store: OpenStore;
const NAME = `${repository.owner}/${repository.name}`;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "merges-"));
  store = await fileStore(join(dataDir, "flotilla.db"));
  await store.repositories.put(repository);
  const agent = await insertAgent(store, {
    name: "feat-dev-issue-4",
    role: "feat-dev",
    issue: 4,
    coder: true,
    state: "SLEEPING",
    sleepReason: "review",
    prNumber: 9,
  });
  const sprint = await store.records.insert("sprint", {
    id: 0,
    version: 0,
    state: "IN_PROGRESS",
    repositoryId: repository.id,
    goalId: null,
    milestone: 1,
    title: "First",
    reason: null,
    dueAt: null,
    answeredDueAt: null,
    createdAt: 1,
    endedAt: null,
  });
  await store.records.insert("task", {
    ...newTaskRecord,
    repositoryId: repository.id,
    issue: 4,
    title: "A page",
    state: "APPROVED",
    assigneeId: agent.id,
    sprintId: sprint.id,
  });
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function told(command: Command, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const context = { env: { FLOTILLA_DATA_DIR: dataDir }, cwd: dataDir, print, complain: print };
  await command.run({ ...context, options: { json: true }, args });
  return lines.join("\n");
}

const COMMANDS = [
  ["tasks", tasks, []],
  ["explain", explain, [`${NAME}#4`]],
  ["agents show", agents, ["show", `${NAME}:feat-dev-issue-4`]],
  ["goals show", goals, ["show", `${NAME}#4`]],
] as const;

test.each(COMMANDS)(
  "flotilla %s asks for no merge that Flotilla makes by itself",
  async (_, command, args) => {
    writeFileSync(join(dataDir, "config.yaml"), "level: merge\nmerge: { auto: true }\n");
    const text = await told(command, args);
    expect(text).toContain("Flotilla merges #9 when its turn in the merge queue comes");
    expect(text).not.toContain("merge #9 on GitHub");
  },
);

test.each([
  ["no configuration", null],
  ["one that cannot be read", "merge: ["],
  ["merges off", "level: merge\n"],
  [
    "another level there",
    `level: merge\nlevels: { repositories: { "${NAME}": draft } }\nmerge: { auto: true }\n`,
  ],
])("asks for it with %s", async (_, text) => {
  if (text !== null) writeFileSync(join(dataDir, "config.yaml"), text);
  for (const [, command, args] of COMMANDS) expect(await told(command, args)).toContain("merge #9 on GitHub");
});
