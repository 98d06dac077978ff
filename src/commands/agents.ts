import { pauseLift, pauseText } from "../core/scope.ts";
import { agentJson, pauseJson } from "../dashboard/json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";

export const agents: Command = {
  name: "agents",
  summary: "list the agents with their states",
  usage: "flotilla agents [list] [--state ESCALATED] [--json]",
  details: [
    "Oldest first; reads the database, Flotilla need not run.",
    "",
    "Example: flotilla agents list --state SLEEPING",
  ],
  options: { state: { type: "string" }, json: { type: "boolean" } },
  async run(context) {
    const { options, print, args } = context;
    if (args.length > 0 && args[0] !== "list") {
      print("Say `flotilla agents list`; the other verbs come with a later version.");
      return 1;
    }
    const { rows, pauses } = await reading(context, async (store) => {
      const found = await store.records.find("agent", {});
      const shownAgents = await Promise.all(
        found.map(async (agent) =>
          agentJson(
            agent,
            await store.repositories.get(agent.repositoryId),
            (await store.records.find("run", { agentId: agent.id })).at(-1),
          ),
        ),
      );
      return { rows: shownAgents, pauses: await store.scopePauses.list() };
    });
    const shown =
      options["state"] === undefined ? rows : rows.filter((row) => row.state === options["state"]);
    if (options["json"] === true) print(JSON.stringify({ agents: shown, paused: pauses.map(pauseJson) }));
    else for (const pause of pauses) print(`PAUSED: ${pauseText(pause)}; ${pauseLift(pause)}.`);
    if (options["json"] === true) return 0;
    if (shown.length === 0) print("No agents.");
    else
      for (const row of shown)
        print(`${row.key}  ${row.state}  ${row.phase ?? ""}  ${row.reason ?? ""}`.trimEnd());
    return 0;
  },
};
