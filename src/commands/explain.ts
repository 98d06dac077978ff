import { parseFullName } from "../core/repository.ts";
import { explanation, holdLines } from "../core/text/explain.ts";
import { decisionJson } from "../dashboard/json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";
import { archiveText, keptArchives } from "./kept-archives.ts";
import { refused } from "./refused.ts";

export const explain: Command = {
  name: "explain",
  summary: "say why something was or was not done on an issue",
  usage: "flotilla explain owner/repo#N",
  details: [
    "What holds its agents now, with what ends that; the latest 50 decisions, newest first, each with what would change it, then what is kept of agents that ended, with the command that restores it. Reads the database, Flotilla need not run.",
  ],
  options: {},
  examples: ["flotilla explain acme/shop#42", "flotilla explain acme/shop#42 --json | jq '.decisions[0]'"],
  async run(context) {
    const { args, options, print } = context;
    const [, repository = "", issue] = /^([^#]+)#(\d+)$/.exec(args[0] ?? "") ?? [];
    const name = parseFullName(repository);
    if (name === undefined || args.length !== 1) {
      return refused(context, "Say `flotilla explain owner/repo#N`.");
    }
    const found = await reading(context, async (store) => {
      const known = await store.repositories.byName(name.owner, name.name);
      if (known === undefined) return undefined;
      const repositoryId = known.id;
      const agents = await store.records.find("agent", { repositoryId, issue: Number(issue) });
      const holds = await store.lists.holds(agents);
      return {
        held: agents.map(({ id, name: agent }) => ({ name: agent, holds: holds.get(id) ?? [] })),
        decisions: await store.decisions.ofIssue(repositoryId, Number(issue), 50),
        archives: await keptArchives(context, store, agents),
      };
    });
    if (found === undefined) {
      const hint =
        "It is heard of with the first webhook; `flotilla doctor` says where the App is installed.";
      return refused(context, `Flotilla has not heard of ${repository}.`, hint, "not_found");
    }
    const { held, decisions, archives } = found;
    if (options["json"] === true) {
      const holding = held.filter(({ holds }) => holds.length > 0);
      print(JSON.stringify({ held: holding, decisions: decisions.map(decisionJson), archives }));
      return 0;
    }
    const lines = [...holdLines(held), ...explanation(decisions, Date.now())];
    if (lines.length === 0) print("Nothing was held back or refused on this issue so far.");
    for (const line of lines) print(line);
    for (const archive of archives) print(archiveText(archive));
    return 0;
  },
};
