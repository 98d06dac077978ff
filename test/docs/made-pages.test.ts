import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptOf } from "../../src/cli/commands/roles.ts";
import { readRoles } from "../../src/config/roles.ts";
import { AGENT_STATES } from "../../src/domain/agents/agent-record.ts";
import { VERBS } from "../../src/domain/commands/command.ts";
import { DECISION_RULES } from "../../src/domain/decisions/rules.ts";
import { configSchema, SHIPPED_ROLES } from "../../src/domain/settings/config-schema.ts";
import { DEFAULT_ROLES } from "../../src/domain/settings/role-schema.ts";
import { settingsOf } from "../../src/domain/settings/settings.ts";
import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { TOOL_NAMES, TOOLS } from "../../src/engine/tools/catalog.ts";
import { COMMENTS } from "./comments-shown.ts";
import { decisionsPage } from "./decisions-page.ts";
import { withParts } from "./parts.ts";

const MAINTAINERS = readFileSync("docs/for-maintainers.md", "utf8");

/** The first words of a table's rows, between backticks or not. */
function rows(form: RegExp): readonly string[] {
  return [...MAINTAINERS.matchAll(form)].map(([, word = ""]) => word);
}

/** The prompts of the shipped role files, folded. */
function shippedPrompts(): string {
  const file = configSchema.parse({
    roles: {
      ...DEFAULT_ROLES,
      evaluator: { prompt: "evaluator.md", evidence: "none" },
      planner: { prompt: "planner.md", evidence: "outputs" },
      retrospective: { prompt: "retrospective.md", lifecycle: "ephemeral", evidence: "none" },
    },
  });
  const { roles, faults } = readRoles(file.roles, {
    directory: join(process.cwd(), SHIPPED_ROLES),
    directoryWritten: SHIPPED_ROLES,
    file: "this test",
    knownTools: TOOL_NAMES,
    mcpServers: new Map(),
  });
  expect(faults).toEqual([]);
  return [...roles.values()]
    .map((role) => {
      const prompt = promptOf(role, settingsOf(file, roles));
      const summary = `<summary><code>${role.name}</code>: ${prompt.length} characters</summary>`;
      return `<details>\n${summary}\n\n\`\`\`\`text\n${prompt}\n\`\`\`\`\n\n</details>`;
    })
    .join("\n\n");
}

describe("docs/for-maintainers.md", () => {
  test("shows comments as the program writes them (`npx vitest run test/docs -u` renews them)", async () => {
    await expect(withParts(MAINTAINERS, COMMENTS)).toMatchFileSnapshot("../../docs/for-maintainers.md");
  });

  test("explains every command, every state of an agent and every label of ours, and no other", () => {
    expect(rows(/^\| `\/flotilla ([a-z]+)/gm).toSorted()).toEqual([...VERBS].toSorted());
    expect(rows(/^\| ([A-Z]+) \|/gm).toSorted()).toEqual([...AGENT_STATES].toSorted());
    expect(rows(/^\| `(flotilla:[a-z-]+)`/gm).toSorted()).toEqual(TASK_STATES.map(stateLabel).toSorted());
  });

  test("a part without a place is an error", () => {
    expect(() => withParts("# Nothing\n", { status: "x" })).toThrow("there is no place for status");
  });
});

describe("docs/decisions.md", () => {
  test("has every rule, as the program tells it (`npx vitest run test/docs -u` renews it)", async () => {
    const page = decisionsPage();
    for (const rule of DECISION_RULES) expect(page.split(`\n| \`${rule}\` | `)).toHaveLength(2);
    await expect(page).toMatchFileSnapshot("../../docs/decisions.md");
  });
});

describe("docs/roles.md", () => {
  test("has every tool and every prompt, as the program has them (`npx vitest run test/docs -u` renews it)", async () => {
    const lines = TOOLS.map(({ name, purpose }) => `| \`${name}\` | ${purpose} |`);
    const tools = ["| name | what it does |", "|---|---|", ...lines].join("\n");
    const page = withParts(readFileSync("docs/roles.md", "utf8"), { tools, prompts: shippedPrompts() });
    await expect(page).toMatchFileSnapshot("../../docs/roles.md");
  });
});
