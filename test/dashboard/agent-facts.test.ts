import { expect, it, onTestFinished } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { type AgentView, agentViews } from "../../src/dashboard/api/agent-view.ts";
import { AgentFacts } from "../../src/dashboard/page/agent-facts.ts";
import { AgentHead } from "../../src/dashboard/page/agent-head.ts";
import { AgentTable } from "../../src/dashboard/page/agent-table.ts";
import type { RunningCommand } from "../../src/domain/evidence/running-command.ts";
import { session } from "../adapters/store/samples.ts";
import { seedDay } from "../browser/seed.ts";
import { pageText } from "../engine/truth/page-text.ts";
import { someSettings } from "../factories/some-settings.ts";

async function aDay() {
  const store = await openStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  return { store, ...(await seedDay(store, 1_800_000_000_000)) };
}

async function viewOf(
  store: OpenStore,
  issue: number,
  runningCommands: ReadonlyMap<number, RunningCommand> = new Map(),
): Promise<AgentView> {
  const agents = await store.records.find("agent", { issue });
  const parts = { store, settings: someSettings(), runningCommands, site: "https://github.test" };
  const [seen] = await agentViews(parts, agents);
  if (seen === undefined) throw new Error(`no agent works on #${issue}`);
  return seen.view;
}

const told = (part: unknown) => pageText(part).replaceAll(/\s+/g, " ");
const facts = (agent: AgentView) => told(AgentFacts({ agent }));
const head = (agent: AgentView) => told(AgentHead({ agent, waiting: [], path: "", changed: () => {} }));
const row = (agent: AgentView) => told(AgentTable({ agents: [agent] }));
/** Calls that were made by the working agent before its last one are none of these tests'. */
const CALL = { tool: "bash", input: '{"command":"npm test"}', turn: 1, at: 1 };

it("shows the model, tools and temperature of a start, and says nothing of what was not chosen", async () => {
  const { store } = await aDay();
  const chosen = await viewOf(store, 41);
  expect(chosen).toMatchObject({ tools: ["read", "edit"], temperature: 0.2 });
  expect(facts(chosen)).toContain("Toolsread, editTemperature0.2Tags");
  expect(facts(chosen)).toContain("Modelgpt-5Runtime");
  expect(facts({ ...chosen, tools: [], temperature: 0 })).toContain("ToolsnoneTemperature0Tags");
  const own = await viewOf(store, 39);
  expect(own).toMatchObject({ model: null, tools: null, temperature: null });
  expect(facts(own)).toContain("Modelnot chosen yetRuntime");
  expect(facts(own)).not.toMatch(/Tools|Temperature|Tags|Labels|–/);
});

it("names the model of the conversation, also when the start chose another that is no longer allowed", async () => {
  const { store, working } = await aDay();
  await store.records.insert("session", session({ agentId: working.id, model: "gpt-4.1" }));
  expect(await viewOf(store, 41)).toMatchObject({ model: "gpt-4.1" });
});

it("shows the runtime, in the version that opened its conversation last", async () => {
  const { store, working } = await aDay();
  expect(facts(await viewOf(store, 41))).toContain("RuntimecopilotAt work");
  const agentId = working.id;
  await store.records.insert("session", session({ agentId, sessionId: "one", runtimeVersion: "1.0.13" }));
  await store.records.insert("session", session({ agentId, sessionId: "two", runtimeVersion: "1.0.14" }));
  const view = await viewOf(store, 41);
  expect(view).toMatchObject({ runtime: "copilot", runtime_version: "1.0.14" });
  expect(facts(view)).toContain("Runtimecopilot 1.0.14At work");
});

it("shows the command that Flotilla runs for a working agent, and since when", async () => {
  const { store, working } = await aDay();
  const command = { purpose: "worktree", command: "npm ci", since: 0 } as const;
  const view = await viewOf(store, 41, new Map([[working.id, command]]));
  expect(view.now).toBe("prepares its worktree: `npm ci`, since 00:00 UTC");
  expect(head({ ...view, tool: null })).toContain(
    "WorkingIt prepares its worktree: npm ci, since 00:00 UTC.",
  );
  expect((await viewOf(store, 41)).now).not.toContain("npm ci");
});

it("shows the call of a working agent as pending, and as running once it is let go", async () => {
  const { store, working } = await aDay();
  const pending = await viewOf(store, 41);
  expect(pending.tool).toMatchObject({ name: "edit", status: "pending", input: '{"path":"src/export.ts"}' });
  expect(head(pending)).toContain("WorkingEditing src/export.ts, pending for ");
  expect(row(pending)).toContain("edit pending ");
  await store.toolCalls.letGo({ agentId: working.id, toolCallId: "c2" });
  const running = await viewOf(store, 41);
  expect(running.tool).toMatchObject({ name: "edit", status: "running" });
  expect(head(running)).toContain("WorkingEditing src/export.ts for ");
  expect(row(running)).not.toContain("pending");
  const end = { status: "success", output: "", at: 2 } as const;
  await store.toolCalls.end({ agentId: working.id, toolCallId: "c2", ...end });
  const idle = await viewOf(store, 41);
  expect(idle.tool).toBeNull();
  expect(head(idle)).toContain("WorkingThe model is thinking.");
  const checked = { ...idle, headline: "Its work is being checked", now: "is being checked" };
  expect(head(checked)).toMatch(/Its work is being checkedFor/);
  expect(row(idle)).toContain("thinking");
});

it("offers no pause of an agent that is paused, or whose repository is", async () => {
  const { store } = await aDay();
  const acts = async (issue: number) => (await viewOf(store, issue)).acts;
  expect(await acts(37)).toEqual(["pause", "cancel"]);
  const [asleep] = await store.records.find("agent", { issue: 37 });
  if (asleep === undefined) throw new Error("there is no agent of #37");
  await store.records.save("agent", asleep, { ...asleep, heldBy: ["commit"] });
  expect(await acts(37)).toEqual(["cancel"]);
  await store.scopePauses.add({ scope: "repository:7", holder: "person", by: "a", reason: null, since: 1 });
  expect([await acts(44), await acts(41)]).toEqual([["cancel"], ["pause", "cancel"]]);
});

it("shows of an agent that rests only a call that waits for a person", async () => {
  const { store } = await aDay();
  const [resting] = await store.records.find("agent", { issue: 33 });
  const agentId = resting?.id ?? 0;
  await store.toolCalls.start({ ...CALL, agentId, toolCallId: "w1" });
  const waiting = await viewOf(store, 33);
  expect(waiting).toMatchObject({ state: "ESCALATED", tool: { name: "bash", status: "pending" } });
  expect(head(waiting)).toContain("Running npm test, pending for ");
  expect(row(waiting)).not.toContain("bash");
  await store.toolCalls.letGo({ agentId, toolCallId: "w1" });
  const stopped = await viewOf(store, 33);
  expect(stopped.tool).toBeNull();
  expect(head(stopped)).not.toContain("npm test");
});
