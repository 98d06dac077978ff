import { TASK_STATES } from "../core/machines/task.ts";
import { type TaskJson, tasksAsJson } from "../dashboard/task-json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";
import { statesTyped } from "./state-words.ts";

export const tasks: Command = {
  name: "tasks",
  summary: "list the work that issues ask for, and where it stands between claim and merge",
  usage: "flotilla tasks [--state APPROVED] [--json]",
  details: [
    "Reads the database, so Flotilla need not run. Oldest first.",
    "",
    "Example: flotilla tasks --state READY_FOR_REVIEW",
  ],
  options: { state: { type: "string" }, json: { type: "boolean" } },
  async run(context) {
    const { args, options, print } = context;
    const { state } = options;
    const typed = typeof state === "string" ? statesTyped([state], TASK_STATES) : { states: null };
    if ("unknown" in typed || args.length > 0) {
      print("unknown" in typed ? typed.unknown : "Say `flotilla tasks [--state APPROVED]`.");
      return 1;
    }
    const found = await reading(context, (store) => tasksAsJson(store, typed.states));
    if (options["json"] === true) print(JSON.stringify({ tasks: found }));
    else if (found.length === 0)
      print(typed.states === null ? "No tasks." : `No tasks that are ${typed.states.join()}.`);
    else for (const task of found) print(line(task));
    return 0;
  },
};

function line(task: TaskJson): string {
  const by = task.agent === null ? "" : `  ${task.agent}`;
  const why = task.reason === null ? "" : `  ${task.reason}`;
  return `${task.repository}#${task.issue}  ${task.state}${by}  ${task.title}${why}`;
}
