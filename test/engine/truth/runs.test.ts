import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentView } from "../../../src/dashboard/api/agent-view.ts";
import type { AgentJson } from "../../../src/dashboard/api/json.ts";
import { AgentHead } from "../../../src/dashboard/page/agent-head.ts";
import { Phase } from "../../../src/dashboard/page/state-words.ts";
import { RUN_STATES, type RunState } from "../../../src/domain/agents/run.ts";
import { PHASE_WORDS } from "../../../src/domain/status/agent-status.ts";
import { fastDirectory } from "../../factories/fast-directory.ts";
import { agentOf, runOf, sessionsOf } from "../look.ts";
import { onDisk } from "../on-disk.ts";
import { RUNS, type RunSituation } from "./of-runs.ts";
import { pageText } from "./page-text.ts";
import { asks, page, types } from "./places.ts";
import { listed } from "./suite.ts";

const KEY = "acme/shop:feat-dev-issue-1";

it.each(RUN_STATES)("the page and all other places have the same words for %s", (phase) => {
  expect(pageText(Phase({ phase }))).toBe(PHASE_WORDS[phase]);
});

/** How the agent's page says each state in plain words. */
const HEADLINES: Readonly<Record<RunState, RegExp>> = {
  idle: /^Waiting to start$/,
  initializing: /^Working$/,
  planning: /^Working$/,
  executing: /^Working$/,
  evaluating: /^Its work is being checked$/,
  adapting: /^Working$/,
  waiting_input: /^Waiting for @oncall's answer$/,
  waiting_agent: /^Waiting for #2$/,
  waiting_approval: /^Stopped at its turn limit$/,
  paused: /^Paused$/,
  error: /^Waiting for the model provider$/,
  succeeded: /^Done(?:: pull request #4 is ready for review|: its work is merged)?$/,
  failed: /^Failed$/,
  cancelled: /^Cancelled$/,
};

/** Every place that shows an agent says the same phase of its run, and every list finds it by its words. */
async function expectTold(state: RunState, situation: RunSituation): Promise<void> {
  const dataDir = fastDirectory();
  const rig = await onDisk(join(dataDir, "flotilla.db"), situation.make);
  expect((await runOf(rig))?.state).toBe(state);
  const seat = { rig, agent: await agentOf(rig) };
  const { agent: json } = await asks<{ agent: AgentJson }>(seat, `/api/agents/${encodeURIComponent(KEY)}`);
  expect(json).toMatchObject({ phase: state, now: expect.stringMatching(situation.now) });
  const shown = await page(seat);
  expect([shown.agent, shown.listed]).toMatchObject([{ phase: state }, { phase: state }]);
  expect(shown.agent.headline).toMatch(HEADLINES[state]);
  expect(headOf(shown.agent)).toContain(shown.agent.headline);
  expect(await types(dataDir, "agents", "show", KEY)).toMatch(new RegExp(`^phase +${state}$`, "m"));
  expect(await types(dataDir, "agents", "list")).toMatch(
    new RegExp(`^${KEY} +${json.state} +${state} `, "m"),
  );

  const talk = (await sessionsOf(rig)).at(-1)?.state;
  for (const word of talk === undefined ? [state] : [state, talk]) {
    const { agents } = await asks<{ agents: AgentJson[] }>(seat, `/api/agents?state=${word}`);
    expect([word, agents.map(({ key }) => key)]).toEqual([word, [KEY]]);
    expect(await types(dataDir, "agents", "list", "--state", word)).toContain(KEY);
  }
}

const headOf = (agent: AgentView) =>
  pageText(AgentHead({ agent, waiting: [], path: "", changed: () => {} })).replace(/\s+/g, " ");

const ALL = listed(RUN_STATES, RUNS);

it("has a situation for every state of a run", () => {
  expect(RUN_STATES.filter((state) => Object.keys(RUNS[state]).length === 0)).toEqual([]);
});

describe.each(ALL)("a run %s: %s", (state, _, situation) => {
  it("is told alike in all places", () => expect(expectTold(state, situation)).resolves.toBeUndefined());
});
