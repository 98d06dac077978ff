import { readMerging } from "../../config/read-merging.ts";
import { repositoryNames, type TaskJson, taskJson } from "../../dashboard/api/goal-json.ts";
import type { TaskWithNames } from "../../domain/ports/lists.ts";
import { TASK_STATES } from "../../domain/tasks/task-record.ts";
import type { Command } from "../command.ts";
import { reading } from "../data-directory.ts";
import { LIMIT, LIMIT_FAULT, limitTyped, printList } from "../print-list.ts";
import { refused } from "../refused.ts";
import { statesTyped } from "../state-words.ts";

export const tasks: Command = {
  name: "tasks",
  summary: "list the task of each issue, and its state between claim and merge",
  usage: "flotilla tasks [--state APPROVED] [--limit 20]",
  details: ["Reads the database and works while Flotilla is stopped. Lists the oldest first."],
  options: {
    state: { type: "string", says: "show only those in this state", values: TASK_STATES },
    limit: LIMIT,
  },
  examples: ["flotilla tasks --state READY_FOR_REVIEW", "flotilla tasks --json | jq '.tasks[].title'"],
  async run(context) {
    const { args, options } = context;
    const typed =
      typeof options["state"] === "string" ? statesTyped([options["state"]], TASK_STATES) : { states: [] };
    const most = limitTyped(context);
    if (most === null) return refused(context, LIMIT_FAULT);
    if ("unknown" in typed || args.length > 0) {
      const usage = "Run `flotilla tasks [--state APPROVED] [--limit 20]`.";
      return refused(context, "unknown" in typed ? typed.unknown : usage);
    }
    const state = TASK_STATES.find((known) => known === typed.states[0]) ?? null;
    const merges = readMerging(context);
    await reading(context, async (store) => {
      const nameOf = await repositoryNames(store);
      const taskOf = (row: TaskWithNames) => {
        const name = nameOf(row.task.repositoryId);
        return taskJson(row, name, merges(name));
      };
      const list = {
        read: async (page: Parameters<typeof store.lists.tasks>[1]) =>
          (await store.lists.tasks({ state, repositories: null }, page)).map(({ row, position }) => ({
            row: taskOf(row),
            position,
          })),
        name: "tasks",
        json: (task: TaskJson) => task,
        head: HEAD,
        cells,
        none: state === null ? "No tasks." : `No tasks that are ${state}.`,
      };
      await printList(context, list, most);
    });
    return 0;
  },
};

const HEAD = ["ISSUE", "STATE", "AGENT", "TITLE"];

function cells({ repository, issue, state, agent, title, reason, next }: TaskJson): readonly string[] {
  const why = reason === null ? "" : `  ${reason}`;
  const way = next.startsWith("nothing") ? "" : `  → ${next}`;
  return [`${repository}#${issue}`, state, agent ?? "", `${title}${why}${way}`];
}
