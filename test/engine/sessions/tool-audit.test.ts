import { expect, it } from "vitest";
import { nested } from "../../domain/sessions/nested.ts";
import { MINUTE } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, OUR_SECRET, type Rig } from "../rig.ts";
import { blocked, call, edit, escalate, on, slowly, work } from "../scripts.ts";
import { callsOf, dataOf, eventsOf, story } from "../told.ts";

it("records each call with input, output, status, turn and how long it took", async () => {
  const rig = await aRig({ script: [on(1, call("view", { path: "README.md" }), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect((await callsOf(rig))[0]).toMatchObject({
    tool: "view",
    input: '{"path":"README.md"}',
    output: expect.stringContaining("view"),
    status: "success",
    turn: 1,
    durationMs: 0,
  });
  expect((await callsOf(rig)).map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "view success",
    "edit success",
    "commit success",
    "open_pr success",
    "report_complete success",
  ]);
});

it("records a call that the role does not allow as denied, and one that fails as failed", async () => {
  const rig = await aRig({ script: [on(1, call("label", { label: "p1" }), blocked(1), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect((await callsOf(rig)).slice(0, 2).map(({ tool, status }) => [tool, status])).toEqual([
    ["label", "denied"],
    ["report_blocked", "failure"],
  ]);
  expect((await dataOf(rig, "tool:result"))[0]).toMatchObject({
    status: "denied",
    output: expect.stringContaining("tool_not_allowed"),
  });
});

it("refuses a call whose arguments nobody could go down, and records it without them", async () => {
  const path = nested(1000);
  const rig = await aRig({ script: [on(1, call("view", { path }), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect((await callsOf(rig)).slice(0, 2)).toMatchObject([
    { tool: "view", status: "denied", input: '"arguments that are nested more than 100 levels deep"' },
    { tool: "edit", status: "success" },
  ]);
  expect((await dataOf(rig, "tool:result"))[0]).toMatchObject({
    output: expect.stringContaining("arguments_too_deep"),
  });
});

it("records a call that the gate refused as denied, whatever the role allows", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxToolCalls: 1 }),
    script: [on(1, edit(), edit("b.ts"), escalate)],
  });
  await tell(rig, labeled(rig, 1));
  expect((await callsOf(rig)).slice(0, 2).map(({ tool, status }) => [tool, status])).toEqual([
    ["edit", "success"],
    ["edit", "denied"],
  ]);
});

it("records a call as denied that the runtime itself answers, when the role does not allow it", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  const spec = rig.runtime.opened[0];
  spec?.onEvent({ type: "tool_started", toolCallId: "c", toolName: "web_fetch", args: {} });
  spec?.onEvent({
    type: "tool_ended",
    toolCallId: "c",
    ok: false,
    denied: false,
    output: "there is no such tool",
  });
  await rig.until("it is recorded", async () => (await callsOf(rig))[0]?.status === "denied");
  expect((await callsOf(rig))[0]).toMatchObject({ tool: "web_fetch", output: "there is no such tool" });
});

it("records a refused call as denied also when the runtime is cut off before it tells of that", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  const spec = rig.runtime.opened[0];
  const comments = [{ body: "One" }, { body: "Two" }];
  for (const [index, args] of comments.entries())
    spec?.onEvent({ type: "tool_started", toolCallId: String(index), toolName: "label", args });
  await spec?.gate({ toolName: "label", args: { body: "Two" } });
  for (const id of rig.runtime.running) rig.runtime.kill(id);
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  expect(await callsOf(rig)).toMatchObject([
    { input: '{"body":"One"}', status: "interrupted", output: "It never ran." },
    { input: '{"body":"Two"}', status: "denied", output: expect.stringContaining("tool_not_allowed") },
  ]);
});

/** An agent whose first tool call never ends by itself. */
async function stuckInACall(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, { call: [{ tool: "comment", args: { body: "Hi" } }] }, ...work)] });
  rig.github.putComment = () => new Promise(() => {});
  await rig.engine.handle(labeled(rig, 1));
  void rig.engine.tick();
  await rig.until("the call runs", async () =>
    (await rig.store.toolCalls.ofAgent(1)).some(({ status }) => status === "running"),
  );
  return rig;
}

it("records a call that a crash of the host cut off as interrupted", async () => {
  const rig = await stuckInACall();
  await rig.restart();
  expect(await callsOf(rig)).toMatchObject([
    { tool: "comment", status: "interrupted", output: null, durationMs: null },
  ]);
  expect(await dataOf(rig, "tool:result")).toMatchObject([
    { tool: "comment", status: "interrupted", duration_ms: null },
  ]);
});

/** An agent at work, whose runtime the test speaks for. */
async function thinking() {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  const [spec] = rig.runtime.opened;
  if (spec === undefined) throw new Error("no session is open");
  const begins = (toolCallId: string, toolName: string) =>
    spec.onEvent({ type: "tool_started", toolCallId, toolName, args: {} });
  const statuses = async () => (await callsOf(rig)).map(({ status }) => status);
  return { rig, spec, begins, statuses };
}

it("records a call as pending before the gate decides, and as running before the gate lets it go", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  begins("c", "view");
  await rig.until("it is recorded", async () => (await statuses()).length === 1);
  expect(await statuses()).toEqual(["pending"]);
  const counted = (await agentOf(rig)).toolCalls;
  expect(await spec.gate({ toolName: "view", args: {} })).toEqual({ allow: true });
  expect(await statuses()).toEqual(["running"]);
  expect((await agentOf(rig)).toolCalls).toBe(counted + 1);
});

it("says after a crash which call never ran, and which may have", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  begins("c1", "view");
  begins("c2", "view");
  await spec.gate({ toolName: "view", args: {} });
  expect(await statuses()).toEqual(["running", "pending"]);
  await rig.restart();
  expect(await callsOf(rig)).toMatchObject([
    { status: "interrupted", output: null },
    { status: "interrupted", output: "It never ran." },
  ]);
});

it("records a call as running that was let go before the runtime reported its start", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  expect(await spec.gate({ toolName: "view", args: {} })).toEqual({ allow: true });
  begins("c1", "view");
  begins("c2", "view");
  await rig.until("they are recorded", async () => (await statuses()).length === 2);
  expect(await statuses()).toEqual(["running", "pending"]);
});

it("lets two calls that ask for the same go one after the other, each by its own row", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  for (const id of ["c1", "c2"]) begins(id, "view");
  await spec.gate({ toolName: "view", args: {} });
  await spec.gate({ toolName: "view", args: {} });
  expect(await statuses()).toEqual(["running", "running"]);
  spec.onEvent({ type: "tool_ended", toolCallId: "c2", ok: true, denied: false, output: "" });
  await rig.until("one has ended", async () => (await statuses()).includes("success"));
  expect(await statuses()).toEqual(["running", "success"]);
});

it("makes no call that could not be recorded as running", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  begins("c", "view");
  await rig.until("it is recorded", async () => (await statuses()).length === 1);
  const transaction = rig.store.transaction.bind(rig.store);
  let refusing = true;
  rig.store.transaction = (written) => {
    if (!refusing) return transaction(written);
    refusing = false;
    return Promise.reject(new Error("the disk is full"));
  };
  expect(await spec.gate({ toolName: "view", args: {} })).toMatchObject({
    allow: false,
    reason: expect.stringContaining("could not be recorded"),
  });
  await rig.until("it is denied", async () => (await statuses())[0] === "denied");
});

it("leaves the calls of an agent that is cancelled at work to their own ends", async () => {
  const { rig, spec, begins, statuses } = await thinking();
  begins("c1", "view");
  begins("c2", "view");
  await spec.gate({ toolName: "view", args: {} });
  await rig.engine.handle(said(rig, 1, "/flotilla cancel"));
  spec.onEvent({ type: "tool_ended", toolCallId: "c1", ok: true, denied: false, output: "It is there." });
  await rig.idle();
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(await statuses()).toEqual(["success", "interrupted"]);
});

it("records a call whose process died as interrupted, before anything follows from it", async () => {
  const rig = await stuckInACall();
  for (const id of rig.runtime.running) rig.runtime.kill(id);
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  expect(await callsOf(rig)).toMatchObject([{ status: "interrupted" }]);
  const told = await story(rig);
  expect(told.indexOf("tool:result comment interrupted")).toBeLessThan(told.indexOf("agent:paused"));
});

it("keeps no secret and no control character in what it records", async () => {
  const token = `ghp_${"x".repeat(36)}`;
  const rig = await aRig({
    script: [
      on(
        1,
        {
          say: `It is ${token}!`,
          call: [{ tool: "comment", args: { body: `${OUR_SECRET} \u001B[1m${token}` } }],
        },
        ...work,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  const kept = JSON.stringify([await eventsOf(rig), await callsOf(rig)]);
  expect(kept).not.toContain(OUR_SECRET);
  expect(kept).not.toContain("xxxx");
  expect(kept).not.toContain("u001b");
  expect(kept).toContain("[redacted]");
});

it("cuts long inputs and outputs, and says so", async () => {
  const rig = await aRig({ script: [on(1, edit("long.ts", "x".repeat(9000)), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  const [row] = await callsOf(rig);
  expect(row?.input.length).toBeLessThan(4100);
  expect(row?.input).toMatch(/… \[\d+ more characters\]$/);
});
