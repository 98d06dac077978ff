import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { insertAgent } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

test("a tool call has one end, the first; the model's name for it may come again", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const { id: agentId } = await insertAgent(store);
  const start = { agentId, toolCallId: "c1", tool: "commit", input: "{}", turn: 3, at: 10 };
  await store.toolCalls.start(start);
  const ended = await store.toolCalls.end({
    agentId,
    toolCallId: "c1",
    status: "denied",
    output: "no turns left",
    at: 20,
  });
  expect(ended).toMatchObject({ tool: "commit", turn: 3, durationMs: 10 });
  const late = { agentId, toolCallId: "c1", status: "failure", output: "late", at: 30 } as const;
  expect(await store.toolCalls.end(late)).toBeUndefined();
  await store.toolCalls.start({ ...start, at: 40 });
  await store.close();
  const raw = new SqliteDatabase(path, { readonly: true });
  const rows = raw
    .prepare(
      "SELECT tool, turn, status, output, started_at, ended_at, duration_ms FROM tool_call ORDER BY id",
    )
    .raw()
    .all();
  expect(rows).toEqual([
    ["commit", 3, "denied", "no turns left", 10, 20, 10],
    ["commit", 3, "running", null, 40, null, null],
  ]);
  raw.close();
});

test("calls that still run are interrupted, of one agent or of all", async () => {
  const store = await openStore({ path: ":memory:" });
  const one = (await insertAgent(store)).id;
  const other = (await insertAgent(store, { name: "feat-dev-issue-2", issue: 2 })).id;
  const start = { toolCallId: "c", tool: "bash", input: "{}", turn: 1, at: 10 };
  await store.toolCalls.start({ ...start, agentId: one });
  await store.toolCalls.start({ ...start, agentId: one, toolCallId: "d" });
  await store.toolCalls.start({ ...start, agentId: other });
  await store.toolCalls.end({ agentId: one, toolCallId: "d", status: "success", output: "ok", at: 11 });
  expect(await store.toolCalls.interrupt({ agentId: one, at: 20 })).toMatchObject([
    { agentId: one, toolCallId: "c", status: "interrupted", endedAt: 20, durationMs: null },
  ]);
  expect(await store.toolCalls.interrupt({ agentId: null, at: 30 })).toMatchObject([{ agentId: other }]);
  expect(await store.toolCalls.interrupt({ agentId: null, at: 40 })).toEqual([]);
  expect((await store.toolCalls.ofAgent(one)).map(({ status }) => status)).toEqual([
    "interrupted",
    "success",
  ]);
  await store.close();
});

test("usage is recorded for each model call", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const { id: agentId } = await insertAgent(store);
  const usage = {
    agentId,
    model: "m",
    inputTokens: 100,
    outputTokens: 20,
    cachedTokens: 5,
    costMicroUsd: 360,
    at: 10,
  };
  await store.usage.add(usage);
  await store.usage.add({ ...usage, at: 11 });
  await store.close();
  const raw = new SqliteDatabase(path, { readonly: true });
  const sums = raw.prepare(
    "SELECT count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost_micro_usd) FROM usage",
  );
  expect(sums.raw().get()).toEqual([2, 200, 40, 10, 720]);
  raw.close();
});
