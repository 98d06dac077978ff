import { parseFullName } from "../core/repository.ts";
import { explanation } from "../core/text/explain.ts";
import { decisionJson } from "../dashboard/json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";
import { archiveText, keptArchives } from "./kept-archives.ts";

export const explain: Command = {
  name: "explain",
  summary: "say why something was or was not done on an issue",
  usage: "flotilla explain owner/repo#N [--json]",
  details: [
    "The latest 50 decisions, newest first, each with what would change it, then what is kept of agents that ended, with",
    "the command that restores it. Reads the database, Flotilla need not run.",
    "",
    "Example: flotilla explain acme/shop#42",
  ],
  options: { json: { type: "boolean" } },
  async run(context) {
    const { args, options, print } = context;
    const [, repository = "", issue] = /^([^#]+)#(\d+)$/.exec(args[0] ?? "") ?? [];
    const name = parseFullName(repository);
    if (name === undefined || args.length !== 1) {
      print("Say `flotilla explain owner/repo#N`.");
      return 1;
    }
    const found = await reading(context, async (store) => {
      const known = await store.repositories.byName(name.owner, name.name);
      if (known === undefined) return undefined;
      const repositoryId = known.id;
      const agents = await store.records.find("agent", { repositoryId, issue: Number(issue) });
      return {
        decisions: await store.decisions.ofIssue(repositoryId, Number(issue), 50),
        archives: await keptArchives(context, store, agents),
      };
    });
    const { decisions, archives } = found ?? { decisions: [], archives: [] };
    if (options["json"] === true) print(JSON.stringify({ decisions: decisions.map(decisionJson), archives }));
    else if (found === undefined) print(`Flotilla has not heard of ${repository}.`);
    else if (decisions.length === 0) print("Nothing was held back or refused on this issue so far.");
    else for (const line of explanation(decisions, Date.now())) print(line);
    if (options["json"] !== true) for (const archive of archives) print(archiveText(archive));
    return found === undefined ? 1 : 0;
  },
};
