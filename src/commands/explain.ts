import { parseFullName } from "../core/repository.ts";
import { explanation } from "../core/text/explain.ts";
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
    "The latest 50 decisions, newest first, each with what would change it, then what is kept of agents that ended, with the command that restores it. Reads the database, Flotilla need not run.",
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
      return {
        decisions: await store.decisions.ofIssue(repositoryId, Number(issue), 50),
        archives: await keptArchives(context, store, agents),
      };
    });
    if (found === undefined) {
      const hint =
        "It is heard of with the first webhook; `flotilla doctor` says where the App is installed.";
      return refused(context, `Flotilla has not heard of ${repository}.`, hint, "not_found");
    }
    const { decisions, archives } = found;
    if (options["json"] === true) print(JSON.stringify({ decisions: decisions.map(decisionJson), archives }));
    else if (decisions.length === 0) print("Nothing was held back or refused on this issue so far.");
    else for (const line of explanation(decisions, Date.now())) print(line);
    if (options["json"] !== true) for (const archive of archives) print(archiveText(archive));
    return 0;
  },
};
