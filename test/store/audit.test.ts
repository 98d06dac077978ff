import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { insertAgent } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

test("a tool call is recorded once, and the first end of it counts", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const { id: agentId } = await insertAgent(store);
  const start = { agentId, toolCallId: "c1", tool: "commit", input: "{}", turn: 3, at: 10 };
  await store.toolCalls.start(start);
  await store.toolCalls.start({ ...start, tool: "other" });
  await store.toolCalls.end({ agentId, toolCallId: "c1", status: "denied", output: "no turns left", at: 20 });
  await store.toolCalls.end({ agentId, toolCallId: "c1", status: "failure", output: "late", at: 30 });
  await store.toolCalls.start({ ...start, toolCallId: "c2" });
  await store.close();
  const raw = new SqliteDatabase(path, { readonly: true });
  const rows = raw
    .prepare("SELECT tool, turn, status, output, started_at, ended_at FROM tool_call ORDER BY id")
    .raw()
    .all();
  expect(rows).toEqual([
    ["commit", 3, "denied", "no turns left", 10, 20],
    ["commit", 3, "running", null, 10, null],
  ]);
  raw.close();
});

test("usage is recorded for each model call", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const { id: agentId } = await insertAgent(store);
  const usage = { agentId, model: "m", inputTokens: 100, outputTokens: 20, cachedTokens: 5, at: 10 };
  await store.usage.add(usage);
  await store.usage.add({ ...usage, at: 11 });
  await store.close();
  const raw = new SqliteDatabase(path, { readonly: true });
  const sums = raw.prepare(
    "SELECT count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens) FROM usage",
  );
  expect(sums.raw().get()).toEqual([2, 200, 40, 10]);
  raw.close();
});
