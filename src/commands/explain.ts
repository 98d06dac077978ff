import { parseFullName } from "../core/repository.ts";
import { explanation } from "../core/text/explain.ts";
import { decisionJson } from "../dashboard/json.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";

export const explain: Command = {
  name: "explain",
  summary: "say why something was or was not done on an issue",
  usage: "flotilla explain owner/repo#N [--json]",
  details: [
    "The latest 50 decisions, newest first, each with what would change it. Reads the database, Flotilla need not run.",
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
    const rows = await reading(context, async (store) => {
      const known = await store.repositories.byName(name.owner, name.name);
      return known && store.decisions.ofIssue(known.id, Number(issue), 50);
    });
    if (options["json"] === true) print(JSON.stringify({ decisions: (rows ?? []).map(decisionJson) }));
    else if (rows === undefined) print(`Flotilla has not heard of ${repository}.`);
    else if (rows.length === 0) print("Nothing was held back or refused on this issue so far.");
    else for (const line of explanation(rows, Date.now())) print(line);
    return rows === undefined ? 1 : 0;
  },
};
