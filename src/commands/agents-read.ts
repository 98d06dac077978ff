import type { AgentRecord } from "../core/machines/agent-record.ts";
import { since } from "../core/machines/since.ts";
import { pauseLift, pauseText } from "../core/scope.ts";
import { explanation } from "../core/text/explain.ts";
import { agentJson, decisionJson, pauseJson } from "../dashboard/json.ts";
import { faultOfUnknown } from "../engine/operations/reach.ts";
import type { ReadOnlyStore } from "../store/open-read-only.ts";
import type { CommandContext } from "./command.ts";
import { reading } from "./data-directory.ts";
import { archiveText, keptArchives } from "./kept-archives.ts";
import { refused, refusedBy } from "./refused.ts";
import { statesTyped } from "./state-words.ts";
import { printTable } from "./table.ts";

/** How many decisions `show` tells. */
const DECISIONS_SHOWN = 5;

/** `flotilla agents list`: what is paused, then one line for each agent. */
export async function list(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const { state } = options;
  const typed = typeof state === "string" ? statesTyped([state]) : { states: null };
  if ("unknown" in typed || args.length > 1) {
    return refused(
      context,
      "unknown" in typed ? typed.unknown : "Say `flotilla agents list [--state ESCALATED]`.",
    );
  }
  const { rows, pauses } = await reading(context, async (store) => ({
    rows: await agentsOf(store),
    pauses: await store.scopePauses.list(),
  }));
  const { states } = typed;
  const shown = listed(rows, states).map(({ row }) => row);
  if (options["json"] === true) {
    print(JSON.stringify({ agents: shown, paused: pauses.map(pauseJson) }));
    return 0;
  }
  for (const pause of pauses) print(`PAUSED: ${pauseText(pause)}; ${pauseLift(pause)}.`);
  if (shown.length === 0) print(states === null ? "No agents." : `No agents that are ${states.join()}.`);
  printTable(
    print,
    ["AGENT", "STATE", "PHASE", "REASON"],
    shown.map(({ key, state: now, phase, reason }) => [key, now, phase ?? "", reason ?? ""]),
  );
  return 0;
}

/** All in the order in which they were made; those of some states by how long they are in it, the longest first. */
function listed<Row extends { readonly agent: AgentRecord }>(
  rows: readonly Row[],
  states: readonly string[] | null,
): readonly Row[] {
  if (states === null) return rows;
  return rows
    .filter(({ agent }) => states.includes(agent.state))
    .toSorted((left, right) => since(left.agent) - since(right.agent));
}

/** `flotilla agents show <agent>`: its fields, the latest decisions about it, and what is kept of it. */
export async function show(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const [, key, ...more] = args;
  if (key === undefined || more.length > 0) {
    return refused(
      context,
      "Say `flotilla agents show <agent>`.",
      "`flotilla agents list` shows their names.",
    );
  }
  const found = await reading(context, async (store) => {
    const one = (await agentsOf(store)).find(({ row }) => row.key.toLowerCase() === key.toLowerCase());
    if (one === undefined) return { fault: await faultOfUnknown(store, key) };
    return {
      row: one.row,
      decisions: await decisionsAbout(store, one.agent),
      archives: await keptArchives(context, store, [one.agent]),
    };
  });
  const json = options["json"] === true;
  if ("fault" in found) {
    return refusedBy(context, found.fault);
  }
  const { archives } = found;
  if (json)
    print(JSON.stringify({ agent: found.row, decisions: found.decisions.map(decisionJson), archives }));
  else {
    for (const [field, value] of Object.entries(found.row))
      if (value !== null && String(value) !== "") print(`${field.padEnd(18)} ${String(value)}`);
    for (const line of explanation(found.decisions, Date.now())) print(`decision           ${line}`);
    for (const archive of archives) print(`archive            ${archiveText(archive)}`);
  }
  return 0;
}

/** Every agent with what is shown of it, oldest first. */
async function agentsOf(store: ReadOnlyStore) {
  const found = await store.records.find("agent", {});
  return Promise.all(
    found.map(async (agent) => {
      const repository = await store.repositories.get(agent.repositoryId);
      const run = (await store.records.find("run", { agentId: agent.id })).at(-1);
      return { agent, row: agentJson(agent, repository, run) };
    }),
  );
}

async function decisionsAbout(store: ReadOnlyStore, agent: AgentRecord) {
  const rows = await store.decisions.ofIssue(agent.repositoryId, agent.issue, 100);
  return rows.filter(({ agentId }) => agentId === agent.id).slice(0, DECISIONS_SHOWN);
}
