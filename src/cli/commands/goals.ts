import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readMerging } from "../../config/read-merging.ts";
import {
  type GoalJson,
  goalJson,
  planKey,
  repositoryNames,
  taskJson,
} from "../../dashboard/api/goal-json.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PLAN_VERBS, type PlanVerb } from "../../domain/planning/planned-work.ts";
import { ask, operator } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataDirectory, reading } from "../data-directory.ts";
import { LIMIT, LIMIT_FAULT, limitTyped, printList } from "../print-list.ts";
import { refused, unknownVerb } from "../refused.ts";
import { printTable } from "../table.ts";

const steered = z.object({ key: z.string(), state: z.string() });

const verbs: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  ...Object.fromEntries(PLAN_VERBS.map((verb) => [verb, acting(verb)])),
};

export const goals: Command = {
  name: "goals",
  summary: "list goals and sprints; show, stop, continue or end one",
  usage: [
    "flotilla goals list [--all] [--limit 20]",
    "       flotilla goals show <goal>",
    "       flotilla goals checkpoint | abort <goal> [--reason text]",
    "       flotilla goals continue <goal>",
  ].join("\n"),
  details: [
    "Name a goal by its tracking issue (owner/name#N), and a sprint without a goal by any of its issues, as `list` shows it. list and show read the database and work while Flotilla is stopped; the others need a running Flotilla and do what `/flotilla checkpoint`, `continue` and `abort` do on that issue.",
  ],
  verbs: {
    list: "list those that have not ended, newest first; with --all also those that have",
    show: "show its sprints, its issues with their states, the agents at work, and the cost",
    checkpoint: "stop it: save the agents at work and put them to sleep; none starts or wakes",
    continue: "continue it where it stopped",
    abort: "end it with all its sprints and cancel their agents; the branches are kept",
  },
  options: {
    all: { type: "boolean", says: "(list) include those that have ended", of: ["list"] },
    limit: { ...LIMIT, says: "(list) show at most this many", of: ["list"] },
    reason: {
      type: "string",
      value: "text",
      says: "(checkpoint, abort) why",
      of: ["checkpoint", "abort"],
    },
  },
  examples: [
    "flotilla goals list",
    'flotilla goals checkpoint acme/shop#9 --reason "let us look first"',
    "flotilla goals continue acme/shop#9",
  ],
  async run(context) {
    const [verb = "list"] = context.args;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    return run === undefined ? unknownVerb(context, "goals", verb, Object.keys(verbs)) : run(context);
  },
};

/** Also where no sprint runs, since the next one stops. */
const CHECKPOINT_STANDS =
  "CHECKPOINT: the file CHECKPOINT in the data directory stops each sprint, also one that begins later; remove the file to let them continue.";

const NAMED = "`flotilla goals list` shows their names.";

async function list(context: CommandContext): Promise<number> {
  const most = limitTyped(context);
  if (most === null) return refused(context, LIMIT_FAULT);
  if (context.args.length > 1) return refused(context, "Run `flotilla goals list [--all] [--limit 20]`.");
  const open = context.options["all"] !== true;
  await reading(context, async (store) => {
    const nameOf = await repositoryNames(store);
    const file = lstatSync(join(dataDirectory(context), "CHECKPOINT"), { throwIfNoEntry: false });
    if (context.options["json"] !== true && file?.isFile() === true) context.print(CHECKPOINT_STANDS);
    await printList(
      context,
      {
        read: async (page) =>
          (await store.plans.list({ open, repositories: null }, page)).map(({ row, position }) => ({
            row: goalJson(row, nameOf(row.repositoryId)),
            position,
          })),
        name: "goals",
        json: (goal: GoalJson) => goal,
        head: ["GOAL", "STATE", "DONE", "COST", "TITLE"],
        cells,
        none: open ? "No goals or sprints that are not over." : "No goals or sprints.",
      },
      most,
    );
  });
  return 0;
}

function cells({ kind, key, state, done, open, cost_usd, title, reason, next }: GoalJson): readonly string[] {
  const named = kind === "goal" ? title : `sprint ${title}`;
  const why = reason === null ? "" : `  ${reason}`;
  return [
    key ?? "",
    state,
    `${done} of ${done + open}`,
    `$${cost_usd.toFixed(2)}`,
    `${named}${why}${next.startsWith("nothing") ? "" : `  → ${next}`}`,
  ];
}

async function show(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const { repository, issue } = planKey(args[1] ?? "");
  const name = parseFullName(repository);
  if (name === undefined || args.length !== 2)
    return refused(context, "Run `flotilla goals show owner/name#N`.", NAMED);
  const merges = readMerging(context)(repository);
  const found = await reading(context, async (store) => {
    const known = await store.repositories.byName(name.owner, name.name);
    const work = known && (await store.plans.ofIssue(known.id, issue));
    if (known === undefined || work === undefined) return undefined;
    const issues = work.tasks.map((task) => task.issue);
    const tasks = await store.lists.tasksOfIssues(known.id, issues);
    return {
      goal: goalJson(work, repository),
      tasks: tasks.map((task) => taskJson(task, repository, merges)),
    };
  });
  if (found === undefined)
    return refused(context, `There is no goal or sprint at ${repository}#${issue}.`, NAMED, "not_found");
  const { goal, tasks } = found;
  if (options["json"] === true) {
    print(JSON.stringify(found));
    return 0;
  }
  const { key, state, kind, title, reason, next } = goal;
  const [, , done, cost] = cells(goal);
  const named = kind === "goal" ? title : `sprint ${title}`;
  print(`${named} (${key}) is ${state}: ${done} issues done, ${cost} for ${goal.agents} agents.`);
  if (reason !== null) print(`Why: ${reason}.`);
  print(`Next: ${next}.`);
  for (const sprint of goal.sprints) {
    const due = sprint.due_at === null ? "" : `, due ${sprint.due_at}`;
    const why = sprint.reason === null ? "" : `: ${sprint.reason}`;
    print(`Sprint ${sprint.title} is ${sprint.state}${why}${due}.`);
  }
  if (goal.takes.length > 0)
    print(`It takes ${goal.takes.map((verb) => `\`flotilla goals ${verb} ${key}\``).join(", ")}.`);
  const latest = new Map(tasks.map((task) => [task.issue, task]));
  printTable(
    print,
    ["ISSUE", "STATE", "AGENT", "TITLE"],
    goal.issues.map(({ issue: number, state: of }) => {
      const task = latest.get(number);
      return [`#${number}`, of ?? "not started", task?.agent ?? "", task?.title ?? ""];
    }),
  );
  return 0;
}

function acting(verb: PlanVerb): (context: CommandContext) => Promise<number> {
  return async (context) => {
    const { args, options } = context;
    const { repository, issue } = planKey(args[1] ?? "");
    if (issue === 0 || args.length !== 2)
      return refused(context, `Run \`flotilla goals ${verb} owner/name#N\`.`, NAMED);
    const reason = typeof options["reason"] === "string" ? { reason: options["reason"] } : {};
    const body = { repository, issue, verb, id: randomUUID(), by: operator(), ...reason };
    return ask(context, "/goals/steer", body, (answer) => {
      const { key, state } = steered.parse(answer);
      return `${key} is ${state}.`;
    });
  };
}
