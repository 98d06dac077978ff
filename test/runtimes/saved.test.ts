import { join } from "node:path";
import { expect, it } from "vitest";
import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import type { Log } from "../../src/domain/ports/log.ts";
import { createRig, longMs, type Steps, textsOf } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { shellCall, startAgent } from "./start-agent.ts";

const SLOW_WRITES = join(import.meta.dirname, "../fixtures/acp/slow-writes.mjs");
const deadlineMs = longMs;

/** `warned` = what the runtime has warned of. */
async function given(preset: Preset, steps: Steps) {
  const warned: string[] = [];
  const log: Log = { debug() {}, info() {}, warn: (_, text) => warned.push(text), error() {} };
  const script = { conversations: [{ match: "Role: contract.*do the work", steps }] };
  return { ...createRig(await startAgent(preset, script, { log })), warned };
}

it.for(testedPresets())(
  "$name: what its model was sent is found in its files",
  { timeout: 120_000 },
  async (preset, { onTestFinished }) => {
    const rig = await given(preset, [
      { call: [{ tool: "note" }, shellCall(preset.name, "echo hello")] },
      { say: "Half is done." },
      { after: "the same again", call: [{ tool: "refuse" }] },
      { delayMs: longMs, say: "Never." },
    ]);
    onTestFinished(rig.close);
    const { session } = await rig.open();
    await session.exchange("do the work, and in green", { deadlineMs });
    expect(await session.save()).toBe(true);
    const exchange = session.exchange("the same again", { deadlineMs });
    await rig.requested(4);
    expect(await session.save()).toBe(true);
    await session.interrupt();
    await exchange;
    expect(rig.warned).toEqual([]);
  },
);

it.for(testedPresets().filter(({ name }) => name === "qwen"))(
  "$name: on a slow disk, what was saved survives a kill",
  { timeout: 120_000 },
  async (preset, { onTestFinished }) => {
    const slow: Preset = {
      ...preset,
      env: (place) => ({ ...preset.env(place), NODE_OPTIONS: `--import=${SLOW_WRITES}` }),
      readable: [SLOW_WRITES],
    };
    const rig = await given(slow, [
      { call: [{ tool: "note" }] },
      { delayMs: longMs, say: "Never." },
      { after: "go on from there", say: "I continue." },
    ]);
    onTestFinished(rig.close);
    const { session, spec } = await rig.open({ remark: () => "mind the step" });
    const exchange = session.exchange("do the work, and in green", { deadlineMs });
    await rig.requested(2);
    expect(await session.save()).toBe(true);
    await rig.kill(spec.sessionId);
    await exchange;
    const next = await rig.open({ sessionId: spec.sessionId });
    expect(next.session.resumed).toBe(true);
    await next.session.exchange("go on from there", { deadlineMs });
    expect(textsOf(rig.requests().at(-1), "user").join()).toContain("in green");
    expect(textsOf(rig.requests().at(-1), "tool").join()).toContain("mind the step");
  },
);
