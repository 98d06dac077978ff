import { readMerging } from "../../config/read-merging.ts";
import { decisionJson } from "../../dashboard/api/json.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { agentStatus } from "../../domain/status/agent-status.ts";
import { explanation, issueStatusLines, NOTHING_TO_SHOW } from "../../domain/status/explain.ts";
import { BY_ITSELF } from "../../domain/tasks/next-of-work.ts";
import type { Command } from "../command.ts";
import { reading } from "../data-directory.ts";
import { refused } from "../refused.ts";
import { archiveText, keptArchives } from "./kept-archives.ts";

export const explain: Command = {
  name: "explain",
  summary: "show why something was or was not done on an issue",
  usage: "flotilla explain owner/repo#N",
  details: [
    "Shows the present state of the issue's agents, task and goal or sprint, and what you can do; then the latest 50 decisions, newest first, each with what would change it; then the archived work of ended agents, with the command that restores it. Reads the database and works while Flotilla is stopped.",
  ],
  options: {},
  examples: ["flotilla explain acme/shop#42", "flotilla explain acme/shop#42 --json | jq '.decisions[0]'"],
  async run(context) {
    const { args, options, print } = context;
    const [, repository = "", issue] = /^([^#]+)#(\d+)$/.exec(args[0] ?? "") ?? [];
    const name = parseFullName(repository);
    if (name === undefined || args.length !== 1) {
      return refused(context, "Run `flotilla explain owner/repo#N`.");
    }
    const merging = readMerging(context)(repository) ? BY_ITSELF : null;
    const found = await reading(context, async (store) => {
      const known = await store.repositories.byName(name.owner, name.name);
      if (known === undefined) return undefined;
      const repositoryId = known.id;
      const agents = await store.records.find("agent", { repositoryId, issue: Number(issue) });
      const around = await store.lists.around(agents);
      return {
        agents: agents.flatMap((agent) => {
          const of = around.get(agent.id);
          return of === undefined
            ? []
            : { agent, holds: of.holds, status: agentStatus(agent, { ...of, merging }) };
        }),
        task: (await store.records.find("task", { repositoryId, issue: Number(issue) })).at(-1) ?? null,
        plan: (await store.plans.ofIssue(repositoryId, Number(issue))) ?? null,
        decisions: await store.decisions.ofIssue(repositoryId, Number(issue), 50),
        archives: await keptArchives(context, store, agents),
      };
    });
    if (found === undefined) {
      const hint =
        "It is heard of with the first webhook; `flotilla doctor` says where the App is installed.";
      return refused(context, `No webhook from ${repository} has arrived yet.`, hint, "not_found");
    }
    const { agents, task, plan, decisions, archives } = found;
    if (options["json"] === true) {
      const told = agents.map(({ agent: { name: of, state }, holds, status }) => ({
        name: of,
        state,
        ...status,
        holds,
      }));
      print(JSON.stringify({ agents: told, decisions: decisions.map(decisionJson), archives }));
      return 0;
    }
    const lines = [
      ...issueStatusLines({ agents, task, plan, merging }),
      ...explanation(decisions, Date.now()),
    ];
    if (lines.length === 0) print(NOTHING_TO_SHOW);
    for (const line of lines) print(line);
    for (const archive of archives) print(archiveText(archive));
    return 0;
  },
};
