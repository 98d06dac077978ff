import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { RunEvent } from "../../src/domain/kernel/run-event.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { CLAIM, OURS } from "../factories/leases.ts";
import type { Texts } from "./seed.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How the first one came where it is. */
export async function seedStory(
  store: Store,
  { id: agentId, issue }: AgentRecord,
  now: number,
  texts: Texts,
): Promise<void> {
  const move = (
    machine: "agent" | "run",
    ago: number,
    event: string,
    from: string,
    to: string,
    reason: string | null,
  ) =>
    store.transitions.add({
      at: now - ago,
      machine,
      recordId: agentId,
      agentId,
      repositoryId: 7,
      issue,
      actor: "alice",
      event,
      from,
      to,
      reason,
      evidence: null,
      delivery: null,
    });
  await move("agent", 3 * HOUR, "CREATE", "(new)", "CREATED", "label bug");
  await move("agent", 3 * HOUR - MINUTE, "START", "CREATED", "ACTIVE", null);
  await move("run", 3 * HOUR - MINUTE, "START", "idle", "initializing", null);
  await move("run", 3 * HOUR - 2 * MINUTE, "INIT_COMPLETE", "initializing", "planning", null);
  await move("run", 2 * HOUR, "PLAN_COMPLETE", "planning", "executing", null);
  await move("agent", HOUR, "BLOCKED", "ACTIVE", "SLEEPING", `#33: ${texts.reason}`);
  await move("agent", 12 * MINUTE, "WAKE", "SLEEPING", "ACTIVE", "blocker: #33 was closed");
  const events: readonly RunEvent[] = [
    {
      type: "agent:starting",
      data: { cause: "START", reason: "label bug", session: "flotilla-0123456789abcdef-1" },
    },
    { type: "stream:token", data: { text: texts.said } },
    { type: "tool:start", data: { call: "c1", tool: "bash", input: texts.input } },
    { type: "tool:running", data: { call: "c1", tool: "bash" } },
    {
      type: "tool:result",
      data: { call: "c1", tool: "bash", status: "success", output: texts.said, duration_ms: 5300 },
    },
    { type: "tool:start", data: { call: "c2", tool: "edit", input: '{"path":"src/export.ts"}' } },
  ];
  for (const event of events)
    await store.runEvents.add({ at: now - MINUTE, agentId, repositoryId: 7, issue, event });
  await store.toolCalls.start({
    agentId,
    toolCallId: "c2",
    tool: "edit",
    input: '{"path":"src/export.ts"}',
    turn: 17,
    at: now - 40_000,
  });
  await store.decisions.add({
    at: now - HOUR,
    repositoryId: 7,
    issue,
    agentId,
    rule: "slot",
    reason: texts.reason,
    change: "it starts automatically once a slot is free",
    inputs: {},
    delivery: null,
  });
  const [done, failed] = await store.effects.add([
    {
      key: "e1",
      lane: `agent:${agentId}`,
      repositoryId: 7,
      issue,
      agentId,
      token: null,
      payload: { kind: "commit", message: texts.title },
      createdAt: now - HOUR,
    },
    {
      key: "e2",
      lane: `issue:7#${issue}`,
      repositoryId: 7,
      issue,
      agentId,
      token: null,
      payload: { kind: "status_comment" },
      createdAt: now - HOUR,
    },
  ]);
  await store.effects.lease({ ...OURS, now, leaseMs: () => 1000, limit: 5 });
  await store.effects.settle(done ?? 0, OURS.token, {
    state: "done",
    result: null,
    error: null,
    at: now - 59 * MINUTE,
  });
  await store.effects.settle(failed ?? 0, OURS.token, {
    state: "failed",
    result: null,
    error: "GitHub answered 403: the App may not write comments",
    at: now - 58 * MINUTE,
  });
  await store.deliveries.insert([
    {
      guid: "11111111-2222-3333-4444-555555555555",
      event: "issues",
      action: "opened",
      installationId: 1,
      repositoryId: 7,
      lane: "7#51",
      payload: "{}",
      receivedAt: now - HOUR,
    },
  ]);
  await store.deliveries.claim({ ...CLAIM, now, limit: 5 });
  await store.deliveries.settle(
    "11111111-2222-3333-4444-555555555555",
    OURS.token,
    "dead",
    "the payload names no issue",
    now - 50 * MINUTE,
  );
}
