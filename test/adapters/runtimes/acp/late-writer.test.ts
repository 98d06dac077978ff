import { expect, it, onTestFinished } from "vitest";
import { createRig, longMs, type Rig, type Steps, textsOf } from "../../../contracts/agent-runtime-rig.ts";
import { scriptedPreset } from "../../../fixtures/acp/preset.ts";
import { startAcp } from "./acp-harness.ts";

/** A rig whose agent `misbehaves`, and whose model follows these steps. */
async function given(misbehaves: string, steps: Steps): Promise<Rig> {
  const script = { conversations: [{ match: "Role: contract.*do the work", steps }] };
  const rig = createRig(await startAcp(script, { preset: scriptedPreset(misbehaves) }));
  onTestFinished(rig.close);
  return rig;
}

const deadlineMs = longMs;

it("a message that was saved survives a kill, though the agent writes late and something else first", async () => {
  const { open, requested, requests, kill } = await given("writes late", [
    { delayMs: longMs, say: "Never." },
    { after: "go on from there", say: "I continue." },
  ]);
  const { session, spec } = await open();
  const exchange = session.exchange("do the work, and in green", { deadlineMs });
  await requested(1);
  expect(await session.save()).toBe(true);
  await kill(spec.sessionId);
  await exchange;
  const next = await open({ sessionId: spec.sessionId });
  expect(next.session.resumed).toBe(true);
  await next.session.exchange("go on from there", { deadlineMs });
  expect(textsOf(requests().at(-1), "user").join()).toContain("in green");
});

it("a result that was saved survives a kill, with what was remarked on it", async () => {
  const { open, requested, requests, kill } = await given("writes late", [
    { call: [{ tool: "note" }] },
    { delayMs: longMs, say: "Never." },
    { after: "go on from there", say: "I continue." },
  ]);
  const { session, spec } = await open({ remark: () => "mind the step" });
  const exchange = session.exchange("do the work", { deadlineMs });
  await requested(2);
  expect(await session.save()).toBe(true);
  await kill(spec.sessionId);
  await exchange;
  const next = await open({ sessionId: spec.sessionId });
  await next.session.exchange("go on from there", { deadlineMs });
  expect(textsOf(requests().at(-1), "tool").join()).toContain("mind the step");
});

it("an agent that is killed before it has written anything begins anew", async () => {
  const { open, requested, kill } = await given("writes late or never", [
    { delayMs: longMs, say: "Never." },
    { after: "again", say: "Better." },
  ]);
  const { session, spec } = await open();
  const exchange = session.exchange("do the work", { deadlineMs });
  await requested(1);
  await kill(spec.sessionId);
  await exchange;
  const next = await open({ sessionId: spec.sessionId });
  expect(next.session.resumed).toBe(false);
  const end = await next.session.exchange("do the work again", { deadlineMs });
  expect(end).toEqual({ kind: "idle", lastMessage: "Better." });
});
