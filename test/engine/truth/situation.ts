import { join } from "node:path";
import { expect } from "vitest";
import type { AgentJson } from "../../../src/dashboard/api/json.ts";
import type { AgentRecord, AgentState } from "../../../src/domain/agents/agent-record.ts";
import { oneLine } from "../../../src/domain/messages/format.ts";
import { safeLine } from "../../../src/domain/safe-text/inline.ts";
import { fastDirectory } from "../../factories/fast-directory.ts";
import { agentOf, statusComments } from "../look.ts";
import { onDisk } from "../on-disk.ts";
import type { Rig } from "../rig.ts";
import { asks, page, type Seat, type Shown, types, why } from "./places.ts";

/** Where an agent stands, how it came there by real events, and what people must be told of it. */
export interface Situation {
  readonly make: () => Promise<Rig>;
  /** The role of the agent that is asked about; by default the first coder on issue 1. */
  readonly agent?: string;
  readonly state: AgentState;
  /** What it does, waits for or came to. */
  readonly now: RegExp;
  /** What a person can do. */
  readonly next: RegExp;
  /** What happens outside by which it continues as it was told, where that is no command. */
  readonly goesOn?: (rig: Rig) => Promise<unknown>;
  /** GitHub takes nothing that we write: nobody reads there how it stands. */
  readonly silent?: boolean;
  /** What else must be known outside before what is advised can work. */
  readonly first?: (rig: Rig) => Promise<unknown>;
}

/** Brings the engine there. */
export async function situated({ make, agent: name, state }: Situation): Promise<Seat> {
  const rig = await make();
  const [named] = name === undefined ? [] : await rig.store.records.find("agent", { role: name });
  const agent = named ?? (await agentOf(rig));
  expect(agent.state).toBe(state);
  return { rig, agent };
}

/** What the page shows, kept for both tests of the ways on: to build it takes most of their time. */
const views = new WeakMap<Situation, Promise<Shown>>();

/** What the page shows there. */
export function shownAt(situation: Situation): Promise<Shown> {
  const shown = views.get(situation) ?? situated(situation).then(page);
  views.set(situation, shown);
  return shown;
}

/** All five places say the same state, the same reason and the same way on, and that is what is so. */
export async function expectTold(situation: Situation): Promise<void> {
  const dataDir = fastDirectory();
  // Where commands find it.
  const seat = await onDisk(join(dataDir, "flotilla.db"), () => situated(situation));
  const { rig, agent } = seat;
  const { name, issue, state } = agent;
  const key = `acme/shop:${name}`;
  const { agent: json } = await asks<{ agent: AgentJson }>(seat, `/api/agents/${encodeURIComponent(key)}`);
  expect(json).toMatchObject({
    state,
    now: expect.stringMatching(situation.now),
    next: expect.stringMatching(situation.next),
  });
  const { now, next } = json;

  const shown = await page(seat);
  expect([shown.agent, shown.listed]).toMatchObject([
    { state, now, next },
    { state, now, next },
  ]);
  const ofIt = shown.waiting.filter((item) => (item.agent?.key ?? item.coder) === key);
  expect(ofIt).toEqual(shown.own);
  const { agents: rows } = await asks<{ agents: AgentJson[] }>(seat, "/api/agents");
  expect(rows.find((row) => row.key === key)).toEqual(json);

  if (situation.silent !== true)
    expect(statusOf(rig, agent)).toEqual({ state, now: oneLine(now), next: `${safeLine(next)}.` });

  const line = `${name} is ${state}: ${now.replace(/\s+/g, " ").trim()} → ${next}`;
  expect(await types(dataDir, "explain", `acme/shop#${issue}`)).toContain(line);
  const told = await types(dataDir, "agents", "show", key);
  expect(told).toMatch(new RegExp(`^state +${state}$`, "m"));
  const flat = told.replace(/\s+/g, " ");
  expect(flat).toContain(` now ${now.replace(/\s+/g, " ").trim()} next ${next}`);
  const list = (await types(dataDir, "agents", "list", "--json")).split("\n");
  expect(JSON.parse(list.join("")).agents).toContainEqual(json);
  if (situation.silent !== true) expect(await why(seat, issue)).toContain(`- ${line}`);
}

/** The agent's row of the status comment, and the line below the table. */
function statusOf(rig: Rig, { issue, role, attempt }: AgentRecord) {
  const comment = statusComments(rig, issue).at(-1) ?? "";
  const title = attempt > 1 ? `${role} (attempt ${attempt})` : role;
  const row = comment.split("\n").find((line) => line.startsWith(`| ${title} |`)) ?? "";
  const [, , state = "", now = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const next = comment.split("\n").find((line) => line.startsWith(`Next in the work of ${title}: `)) ?? "";
  return { state: state.replaceAll("*", ""), now, next: next.slice(`Next in the work of ${title}: `.length) };
}
