import { TASK_STATES } from "../core/machines/task.ts";
import { type TaskJson, tasksAsJson } from "../dashboard/task-json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";
import { refused } from "./refused.ts";
import { statesTyped } from "./state-words.ts";
import { printTable } from "./table.ts";

export const tasks: Command = {
  name: "tasks",
  summary: "list the work that issues ask for, and where it stands between claim and merge",
  usage: "flotilla tasks [--state APPROVED]",
  details: ["Reads the database, so Flotilla need not run. Oldest first."],
  options: { state: { type: "string", says: "only those in this state", values: TASK_STATES } },
  examples: ["flotilla tasks --state READY_FOR_REVIEW", "flotilla tasks --json | jq '.tasks[].title'"],
  async run(context) {
    const { args, options, print } = context;
    const { state } = options;
    const typed = typeof state === "string" ? statesTyped([state], TASK_STATES) : { states: null };
    if ("unknown" in typed || args.length > 0) {
      return refused(
        context,
        "unknown" in typed ? typed.unknown : "Say `flotilla tasks [--state APPROVED]`.",
      );
    }
    const found = await reading(context, (store) => tasksAsJson(store, typed.states));
    if (options["json"] === true) print(JSON.stringify({ tasks: found }));
    else if (found.length === 0)
      print(typed.states === null ? "No tasks." : `No tasks that are ${typed.states.join()}.`);
    else printTable(print, HEAD, found.map(row));
    return 0;
  },
};

const HEAD = ["ISSUE", "STATE", "AGENT", "TITLE"];

function row({ repository, issue, state, agent, title, reason }: TaskJson): readonly string[] {
  const why = reason === null ? "" : `  ${reason}`;
  return [`${repository}#${issue}`, state, agent ?? "", `${title}${why}`];
}
