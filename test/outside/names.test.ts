import { expect, it } from "vitest";
import { everyCommand } from "../../src/cli/commands.ts";
import { repositoryFileWritten } from "../../src/config/repository/schema.ts";
import { keysOf, leavesOf, type WrittenSchema, writtenSchema } from "../../src/config/written-schema.ts";
import { AGENT_STATES } from "../../src/domain/agents/agent-record.ts";
import { VERBS } from "../../src/domain/commands/command.ts";
import { DECISION_RULES } from "../../src/domain/decisions/rules.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { DEFAULT_ROLES, roleSchema } from "../../src/domain/settings/role-schema.ts";
import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { TOOL_NAMES } from "../../src/engine/tools/catalog.ts";
import { createInstruments } from "../../src/observability/metrics/instruments.ts";
import { EVENT_NAMES } from "../../src/webhooks/events/table.ts";
import { asked } from "../engine/asking.ts";
import { labeled, said, tell } from "../engine/people.ts";
import { milestoned } from "../engine/plans.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { blocked, on } from "../engine/scripts.ts";
import { done } from "../engine/together/work-under-way.ts";
import { asks } from "../engine/truth/places.ts";

const commands = await everyCommand();

const keys = (schema: WrittenSchema): readonly string[] =>
  keysOf(schema)
    .flatMap(([key, inner]) => leavesOf(key, inner))
    .map(([path]) => path)
    .toSorted();

/** Where the values of a JSON answer lie; elements of a list, and values of a map by id or name, count as one. */
function fieldsOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, `${path}[]`));
  if (typeof value !== "object" || value === null) return path === "" ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    fieldsOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

const LISTS = [
  "overview",
  "waiting",
  "agents",
  "live-agents",
  "ended-agents",
  "tasks",
  "goals",
  "deliveries",
  "effects",
  "transitions",
];
const OF_AGENT = ["", "/view", "/transitions", "/decisions", "/effects", "/transcript"];

/** An agent waits for another issue, in a sprint of a goal; a command came too late. */
async function inSprint(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  for (const number of [1, 3]) milestoned(rig, number, { number: 2, title: "First release", dueOn: null });
  await tell(rig, labeled(rig, 3, { label: "goal" }), labeled(rig, 1), said(rig, 2, "/flotilla retry"));
  return rig;
}

/** The fields of the API's answers about an agent that asks, one that is done, and one in a sprint. */
async function answers(): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = new Map<string, Set<string>>();
  for (const rig of [await asked(), await done(), await inSprint()]) {
    const paths = [
      ...LISTS.map((list) => [list, list]),
      ...OF_AGENT.map((more) => [`agents/{id}${more}`, `agents/acme%2Fshop%3Afeat-dev-issue-1${more}`]),
      ["decisions", "decisions?issue=acme%2Fshop%232"],
      ["repositories/{name}", "repositories/acme%2Fshop"],
      ["goals", "goals?state=any"],
    ];
    for (const [name = "", path] of paths) {
      const fields = found.get(name) ?? new Set();
      for (const field of fieldsOf(await asks({ rig }, `/api/${path}`))) fields.add(field);
      found.set(name, fields);
    }
  }
  return Object.fromEntries([...found].map(([name, fields]) => [name, [...fields].toSorted()]));
}

// A change here breaks somebody's configuration, script, dashboard or prompt: it belongs in CHANGELOG.md.
it("names that others rely on stay (`npx vitest run test/outside -u` writes them down)", async () => {
  const { registry } = createInstruments();
  const names = {
    config: keys(writtenSchema(configSchema)),
    repository_file: keys(repositoryFileWritten),
    role: keys(writtenSchema(roleSchema)),
    roles: Object.keys(DEFAULT_ROLES),
    commands: Object.fromEntries(
      commands.map(({ name, verbs = {}, options }) => [
        name,
        [...Object.keys(verbs), ...Object.keys(options).map((option) => `--${option}`)],
      ]),
    ),
    comments: VERBS,
    webhooks: EVENT_NAMES,
    tools: TOOL_NAMES,
    metrics: (await registry.getMetricsAsJSON()).map(({ name }) => name),
    decision_rules: DECISION_RULES,
    agent_states: AGENT_STATES,
    task_states: TASK_STATES,
    labels: TASK_STATES.map(stateLabel),
    api: await answers(),
  };
  await expect(`${JSON.stringify(names, null, 2)}\n`).toMatchFileSnapshot("../fixtures/outside.json");
});
