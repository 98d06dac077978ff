import type { ReadOnlyStore } from "../../adapters/store/database.ts";
import { readMerging } from "../../config/read-merging.ts";
import { findAgent } from "../../dashboard/api/agent-view.ts";
import { type AgentJson, agentJson, decisionJson, pauseJson } from "../../dashboard/api/json.ts";
import { attributesText } from "../../domain/agents/agent-attributes.ts";
import { type AgentFilter, FILTER_KEYS, readFilter } from "../../domain/agents/agent-filter.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { STATE_WORDS } from "../../domain/agents/state-words.ts";
import { pauseLift, pauseText } from "../../domain/breakers/scope.ts";
import { givenWords, latestOfEach } from "../../domain/instructions/given-file.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { duration } from "../../domain/messages/format.ts";
import { eachOnce, pictureWords } from "../../domain/pictures/shown-picture.ts";
import type { AgentWithPhase, Listed, PageOf, Position, SearchPage } from "../../domain/ports/lists.ts";
import { explanation } from "../../domain/status/explain.ts";
import { BY_ITSELF, type Merging } from "../../domain/tasks/next-of-work.ts";
import { faultOfUnknown } from "../../engine/commands/reach.ts";
import type { CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { LIMIT_FAULT, limitTyped, printList } from "../print-list.ts";
import { refused, refusedBy } from "../refused.ts";
import { statesTyped } from "../state-words.ts";
import { archiveText, keptArchives } from "./kept-archives.ts";

/** The number of decisions that `show` prints. */
const DECISIONS_SHOWN = 5;

/**
 * Implements `flotilla agents list`: prints what is paused, then a line for each agent in order of creation;
 * agents of one state in order of their time in it, the longest first.
 */
export async function list(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const most = limitTyped(context);
  if (most === null) return refused(context, LIMIT_FAULT);
  if (args.length > 1)
    return refused(context, "Run `flotilla agents list [--state ESCALATED] [--limit 20]`.");
  const filter = filterTyped(options);
  if ("fault" in filter) return refused(context, filter.fault);
  const merging = mergingOf(context);
  const read = Date.now();
  await reading(context, async (store) => {
    const pauses = await store.scopePauses.list();
    const known = new Map((await store.repositories.all()).map((each) => [each.id, each]));
    if (options["json"] !== true)
      for (const pause of pauses) print(`PAUSED: ${pauseText(pause)}; ${pauseLift(pause)}.`);
    const withNow = async (rows: readonly Listed<AgentWithPhase>[]) => {
      const around = await store.lists.around(rows.map(({ row: { agent } }) => agent));
      return rows.flatMap(({ row: { agent }, position }) => {
        const of = around.get(agent.id);
        if (of === undefined) return [];
        const repository = known.get(agent.repositoryId);
        const json = agentJson(agent, repository, { ...of, merging: merging(repository) });
        return { row: { json, attributes: attributesText(agent) }, position };
      });
    };
    await printList(
      context,
      {
        read: async (page) => withNow(await agentsLike(store, filter, page)),
        name: "agents",
        json: ({ json }: { readonly json: AgentJson }) => json,
        beside: { paused: pauses.map(pauseJson) },
        head: ["AGENT", "STATE", "PHASE", "FOR", "RUNTIME", "ATTRIBUTES", "NOW"],
        cells: ({ json: { key, state: is, phase, phase_since, runtime, model, now }, attributes }) => [
          key,
          is,
          phase ?? "",
          phase_since === null ? "" : duration(read - Date.parse(phase_since)),
          model === null ? runtime : `${runtime} (${model})`,
          attributes,
          now,
        ],
        none: noneText(filter, options["state"]),
      },
      most,
    );
  });
  return 0;
}

/** Returns how approved work of a repository is merged: null where a person does. */
function mergingOf(context: CommandContext): (repository: RepositoryRow | undefined) => Merging | null {
  const merges = readMerging(context);
  return (repository) => (repository !== undefined && merges(fullName(repository)) ? BY_ITSELF : null);
}

function noneText(filter: AgentFilter, state: string | boolean | undefined): string {
  const keys = Object.keys(filter);
  if (keys.length === 0) return "No agents.";
  return keys.join() === "state" ? `No agents that are ${String(state)}.` : "No such agents.";
}

/**
 * Implements `flotilla agents show <agent>`: prints its fields, its latest decisions, the
 * instructions and pictures that it was given, and its archived work.
 */
export async function show(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const [, key, ...more] = args;
  if (key === undefined || more.length > 0) {
    return refused(
      context,
      "Run `flotilla agents show <agent>`.",
      "`flotilla agents list` shows their names.",
    );
  }
  const found = await reading(context, async (store) => {
    const agent = await findAgent(store, key);
    if (agent === undefined) return { fault: await faultOfUnknown(store, key) };
    const around = (await store.lists.around([agent])).get(agent.id);
    if (around === undefined) return { fault: await faultOfUnknown(store, key) };
    const repository = await store.repositories.get(agent.repositoryId);
    const sessions = await store.records.find("session", { agentId: agent.id });
    return {
      row: agentJson(agent, repository, { ...around, merging: mergingOf(context)(repository) }),
      decisions: await decisionsAbout(store, agent),
      instructions: latestOfEach(sessions.flatMap((one) => one.instructions)),
      pictures: eachOnce(sessions.flatMap((one) => one.pictures)),
      archives: await keptArchives(context, store, [agent]),
    };
  });
  const json = options["json"] === true;
  if ("fault" in found) {
    return refusedBy(context, found.fault);
  }
  const { archives, instructions, pictures } = found;
  if (json)
    print(
      JSON.stringify({
        agent: found.row,
        decisions: found.decisions.map(decisionJson),
        instructions,
        pictures,
        archives,
      }),
    );
  else {
    const { holds, ...fields } = found.row;
    for (const [field, value] of Object.entries(fields))
      if (shown(value) !== "") print(`${field.padEnd(18)} ${shown(value)}`);
    for (const { what, ends } of holds) print(`held               ${what} → ${ends}`);
    for (const line of explanation(found.decisions, Date.now())) print(`decision           ${line}`);
    for (const file of instructions)
      print(`${(file.skill === undefined ? "instructions" : "skill").padEnd(18)} ${givenWords(file)}`);
    for (const picture of pictures) print(`picture            ${pictureWords(picture)}`);
    for (const archive of archives) print(`archive            ${archiveText(archive)}`);
  }
  return 0;
}

/** Formats a value: lists with commas, labels as `key=value`. */
function shown(value: object | string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  const parts: readonly string[] = Array.isArray(value)
    ? value.map(String)
    : Object.entries(value).map((pair) => pair.join("="));
  return parts.join();
}

async function decisionsAbout(store: ReadOnlyStore, agent: AgentRecord) {
  const rows = await store.decisions.ofIssue(agent.repositoryId, agent.issue, 100);
  return rows.filter(({ agentId }) => agentId === agent.id).slice(0, DECISIONS_SHOWN);
}

/** Reads until the page is full or the list ends, because a search for rare agents returns short pages. */
async function agentsLike(
  store: ReadOnlyStore,
  filter: AgentFilter,
  { after, limit }: PageOf,
): Promise<readonly Listed<AgentWithPhase>[]> {
  const rows: Listed<AgentWithPhase>[] = [];
  for (let next: Position | null = after; rows.length < limit; ) {
    const found: SearchPage<AgentWithPhase> = await store.lists.agentsLike(
      { filter, repositories: null },
      { after: next, limit: limit - rows.length },
    );
    rows.push(...found.rows);
    if (found.next === null) break;
    next = found.next;
  }
  return rows;
}

/** Returns the filter that the options describe, or a sentence about an option that is invalid. */
function filterTyped(options: CommandContext["options"]): AgentFilter | { readonly fault: string } {
  const asked: Partial<Record<(typeof FILTER_KEYS)[number], string>> = {};
  for (const key of FILTER_KEYS) {
    const value = options[key];
    if (typeof value === "string") asked[key] = value;
  }
  if (asked.state !== undefined) {
    const typed = statesTyped([asked.state], STATE_WORDS);
    if ("unknown" in typed) return { fault: typed.unknown };
    asked.state = typed.states.includes(asked.state) ? asked.state : asked.state.toLowerCase();
  }
  const filter = readFilter(asked);
  return "fault" in filter ? { fault: `--${filter.key} ${filter.fault}.` } : filter;
}
