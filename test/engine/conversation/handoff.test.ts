import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import { aRole } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { agentOf, answersTo, historyOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, call, edit, escalate, on, say, slowly, together, work } from "../scripts.ts";

const handoff = call("write_handoff", { summary: "feature.ts is half done", next_action: "write the rest" });
const asked = "nearly as long as it can be";

/** Begins with a long first turn, in which its context fills up. */
async function filling(rig: Rig, share: number): Promise<void> {
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  rig.runtime.fill((await agentOf(rig)).sessionId ?? "", share);
  rig.clock.advance(MINUTE);
  await rig.idle();
  await rig.pass(GRACEFUL_PAUSE_MS);
}

it("hands over to a new conversation when its context is full to 90 %", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        slowly(MINUTE, edit()),
        after(asked, together(handoff, handoff)),
        after("You left this", edit("b.ts")),
        ...work.slice(1),
      ),
    ],
  });
  await filling(rig, 0.9);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2, token: 1 });
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  const [first] = toldTo(rig);
  expect(first).toContain("feature.ts is half done");
  expect(first).toContain("Next action: write the rest");
  expect(await rig.store.handoffs.ofAgent((await agentOf(rig)).id)).toMatchObject([
    { writtenBy: "agent", cause: "context", sessionId: expect.stringMatching(/-1$/) },
  ]);
});

it("continues while its context is filled to less", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
  await filling(rig, 0.89);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("measures against the provider's limit where there is one", async () => {
  const provider = {
    type: "openai",
    baseUrl: "http://127.0.0.1:1",
    apiKey: "k",
    wireApi: "completions",
  } as const;
  const rig = await aRig({
    script: [
      on(
        1,
        slowly(MINUTE, edit()),
        after(asked, handoff),
        after("You left this", edit("b.ts")),
        ...work.slice(1),
      ),
    ],
    provider: { ...provider, maxPromptTokens: 500 },
  });
  // 450 tokens of a window of 1000.
  await filling(rig, 0.45);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
});

it("writes the handoff itself when the agent does not in one exchange, and lets nothing else run in it", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        slowly(MINUTE, edit()),
        after(asked, edit("other.ts")),
        say("Never."),
        after("This is known of it", edit("b.ts")),
        ...work.slice(1),
      ),
    ],
  });
  await filling(rig, 0.95);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  expect(toldTo(rig)[0]).toContain("Changed so far: feature.ts");
  const asking = rig.runtime.requests.findLast((messages) =>
    messages.some(({ content }) => content.includes(asked)),
  );
  expect(asking).toBeDefined();
  expect(await rig.store.handoffs.ofAgent((await agentOf(rig)).id)).toMatchObject([{ writtenBy: "host" }]);
});

it("denies every other tool while the handoff is written, saying what is possible", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        slowly(MINUTE, edit()),
        after(asked, edit("other.ts")),
        say("Never."),
        after("This is known", escalate),
      ),
    ],
  });
  await filling(rig, 0.95);
  const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
  expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toContain("edit denied");
  expect(calls.find(({ status }) => status === "denied")?.output).toContain("only write_handoff or a report");
});

it("refuses a handoff that was not asked for", async () => {
  const rig = await aRig({ script: [on(1, handoff, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain("No handoff is asked for");
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("takes a report in place of the handoff", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), after(asked, blocked(2)))] });
  await filling(rig, 0.95);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [2], sessionCount: 1 });
});

it("continues in a new conversation with what the host knows when the old one cannot be resumed", async () => {
  const rig = await aRig({
    script: [on(1, edit(), blocked(2), after("conversation is lost", edit("b.ts")), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    if (spec.sessionId.endsWith("-1"))
      throw new OutsideError("session_damaged", "unreadable", { consequence: "stop" });
    return open(spec);
  };
  await tell(rig, closed(rig, 2));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  expect(toldTo(rig)[0]).toContain("Changed so far: feature.ts");
  expect((await sessionsOf(rig)).map(({ state, reason }) => [state, reason])[0]).toEqual([
    "stopped",
    "handoff",
  ]);
});

it("begins a new conversation when its role has another model by the time it wakes", async () => {
  const role = aRole({ model: "one" });
  const rig = await aRig({
    settings: { roles: rolesOf(role) },
    script: [on(1, edit(), blocked(2), after("with another model", edit("b.ts")), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  Object.assign(role, { model: "two" });
  await tell(rig, closed(rig, 2));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  expect((await sessionsOf(rig)).map((session) => session.model)).toEqual(["one", "two"]);
  expect(rig.runtime.opened.map((spec) => spec.model)).toEqual(["one", "two"]);
});

it("deletes the old conversation once the new one stands, and not before", async () => {
  const rig = await aRig({
    script: [on(1, slowly(MINUTE, edit()), after(asked, handoff), after("You left this", blocked(2)))],
  });
  const acts: string[] = [];
  const open = methodOf(rig.runtime, "open");
  const destroy = methodOf(rig.runtime, "destroy");
  rig.runtime.open = async (spec) => {
    const session = await open(spec);
    acts.push(`open ${spec.sessionId.slice(-2)}`);
    return session;
  };
  rig.runtime.destroy = async (session) => {
    acts.push(`destroy ${session.sessionId.slice(-2)}`);
    return destroy(session);
  };
  await filling(rig, 0.9);
  expect(acts).toEqual(["open -1", "open -2", "destroy -1"]);
});

it("keeps its place through a crash between the move and the new conversation", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        slowly(MINUTE, edit()),
        after(asked, handoff),
        after("You left this", edit("b.ts")),
        ...work.slice(1),
      ),
    ],
  });
  rig.onCall = (name) => {
    if (name === "runtime.open" && rig.runtime.opened.length === 1) rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  rig.runtime.fill((await agentOf(rig)).sessionId ?? "", 0.9);
  rig.clock.advance(MINUTE);
  await rig.until("it hands over", async () => (await agentOf(rig)).sessionCount === 2);
  rig.clock.advance(GRACEFUL_PAUSE_MS);
  rig.engine.poke();
  await rig.until("the process dies", () => rig.life.over);
  rig.onCall = () => {};
  await rig.restart();
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[0]).toContain("feature.ts is half done");
});
