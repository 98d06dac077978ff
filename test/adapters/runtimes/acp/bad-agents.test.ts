import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Preset } from "../../../../src/adapters/runtimes/acp/preset.ts";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import type { SessionSpec } from "../../../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import type { Log } from "../../../../src/domain/ports/log.ts";
import type { HostPort, Runner } from "../../../../src/domain/ports/runner.ts";
import { createRig, type Opened, type Steps } from "../../../contracts/agent-runtime-rig.ts";
import { scriptedPreset } from "../../../fixtures/acp/preset.ts";
import { providerOf, serving } from "../gateway/session-rig.ts";
import { realClock } from "../real-harness.ts";
import { startAcp } from "./acp-harness.ts";

/** Twenty seconds pass in one, so that the time which an agent is given costs no test its own. */
const hurried: Clock = {
  now: () => realClock.now(),
  after: (ms, fn) => realClock.after(ms / 20, fn),
};

const HOOKED: Partial<Preset> = {
  gate: "hook",
  env: (place) => ({
    ...scriptedPreset("asks when cancelled").env(place),
    AGENT_HOOK: JSON.stringify(place.hook),
  }),
};

/** An agent that misbehaves in one way. `leaves` says whether anything of it is left: processes, or the socket's place. */
async function given(
  misbehaves: string,
  steps: Steps,
  more: {
    readonly preset?: Partial<Preset>;
    readonly startMs?: number;
    readonly openMs?: number;
    readonly clock?: Clock;
    readonly log?: Log;
  } = {},
) {
  const ports: HostPort[] = [];
  const runners: Runner[] = [];
  const harness = await startAcp(
    { conversations: [{ match: "Role: contract.*do the work", steps }] },
    {
      preset: scriptedPreset(misbehaves, more.preset),
      clock: more.clock ?? realClock,
      ...(more.log === undefined ? {} : { log: more.log }),
      startMs: more.startMs ?? 400_000,
      openMs: more.openMs ?? 400_000,
      runner: (clock) => {
        const runner = createUnconfinedRunner(clock);
        runners.push(runner);
        return {
          ...runner,
          async port() {
            const port = await runner.port();
            ports.push(port);
            return port;
          },
        };
      },
    },
  );
  const rig = createRig(harness);
  const opened = new Set<string>();
  onTestFinished(rig.close);
  return {
    ...rig,
    open: (overrides: Partial<SessionSpec> = {}): Promise<Opened> => {
      const { sessionId = `contract-${opened.size}` } = overrides;
      opened.add(sessionId);
      return rig.open({ ...overrides, sessionId });
    },
    leaves: async () => ({
      processes: await runners[0]?.countMarked(
        [...opened].map((id) => `${id}@${harness.place.baseDirectory}`),
      ),
      places: ports.filter(({ path }) => existsSync(dirname(path))).length,
    }),
  };
}

const NOTHING = { processes: 0, places: 0 };
const FAILED = {
  name: "RuntimeError",
  code: "start_failed",
  consequence: "retry",
  advice: expect.stringContaining("flotilla runtimes try scripted"),
};

it.each([
  ["talks nonsense", {}, "it wrote 200 lines in a row to its output that are no messages of ACP"],
  ["dies", {}, "it ended with exit code 3, and said at its end: cannot find my settings"],
  ["is silent", { startMs: 5000 }, "it did not answer initialize within 5 s"],
  ["lists no tools", { openMs: 30_000 }, "it did not ask for Flotilla's tools within 30 s"],
])(
  "an agent that %s does not start, may be tried again, and leaves nothing",
  async (misbehaves, limits, detail) => {
    const { open, leaves } = await given(misbehaves, [{ say: "Never." }], { clock: hurried, ...limits });
    for (let start = 0; start < 2; start += 1)
      await expect(open({ sessionId: "contract-1" })).rejects.toMatchObject({
        ...FAILED,
        message: `Scripted agent did not start: ${detail}`,
      });
    expect(await leaves()).toEqual(NOTHING);
  },
);

it("an agent that speaks another version is told to people, and leaves nothing", async () => {
  const { open, leaves } = await given("speaks another version", []);
  await expect(open()).rejects.toMatchObject({
    code: "version_unknown",
    consequence: "tell",
    message: "Scripted agent speaks version 2 of ACP, and not 1",
    advice: expect.stringMatching(/\w/),
  });
  expect(await leaves()).toEqual(NOTHING);
});

it.each([
  [
    "a preset's",
    { name: "scripted-agent", version: "1.0.0", megabytes: 1 },
    "flotilla runtimes add scripted",
  ],
  ["an operator's", null, "runtimes.scripted.command"],
])("%s agent that is not installed is told to people, with what to do", async (_, named, advice) => {
  const { open, leaves } = await given("", [], {
    preset: {
      package: named,
      command: ({ base }) => ({ file: process.execPath, args: [join(base, "no", "agent.js")] }),
    },
  });
  await expect(open()).rejects.toMatchObject({
    code: "runtime_missing",
    consequence: "tell",
    // It stands on the issue, and no path of the machine does.
    message: expect.stringMatching(/^Scripted agent cannot work, because [^/]+ where Flotilla runs$/),
    advice: expect.stringContaining(advice),
  });
  expect(await leaves()).toEqual(NOTHING);
});

it("an agent that never asks does not run for a role without a shell", async () => {
  const { open } = await given("", [], { preset: { gate: "none" } });
  await expect(open({ capabilities: ["read"] })).rejects.toMatchObject({
    code: "ungated",
    consequence: "tell",
  });
});

it("an agent that speaks another API than its provider is told to people", async () => {
  const { open } = await given("", [], { preset: { api: "anthropic" } });
  await expect(open()).rejects.toMatchObject({
    code: "wrong_api",
    consequence: "tell",
    message: "Scripted agent uses the API anthropic, but its provider offers completions",
  });
});

it("an agent of a version that was never tried works, and that is told in the log", async () => {
  const told: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void told.push(fields) };
  const { open } = await given("", [{ say: "Done." }], {
    log,
    preset: { package: { name: "scripted-agent", version: "1.0.0", megabytes: 1 } },
  });
  const { session } = await open();
  expect((await session.exchange("do the work", { deadlineMs: 20_000 })).kind).toBe("idle");
  expect(told).toEqual([{ runtime: "scripted", installed: null, tried: "1.0.0" }]);
});

it("an answer without a report of its usage is counted by an estimate, and that is told once in the log", async () => {
  const told: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void told.push(fields) };
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const choices = [{ index: 0, delta: { content: "I have looked at it." }, finish_reason: "stop" }];
    response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
  });
  const { open } = await given("", [], { log });
  const { session, events } = await open({ provider: providerOf("completions", origin) });
  for (const message of ["do the work", "and more"])
    expect((await session.exchange(message, { deadlineMs: 20_000 })).kind).toBe("idle");
  const used = events.flatMap((event) => (event.type === "usage" ? [event] : []));
  expect(used.map(({ outputTokens, answered }) => [outputTokens, answered])).toEqual([
    [8, true],
    [8, true],
  ]);
  expect(Math.min(...used.map(({ inputTokens }) => inputTokens))).toBeGreaterThan(20);
  expect(told).toEqual([{ session: "contract-0", model: "scripted" }]);
});

it("files and terminals of the host are not offered", async () => {
  const { open, place } = await given("asks the client", [{ say: "Done." }]);
  const { session } = await open();
  expect((await session.exchange("do the work", { deadlineMs: 20_000 })).kind).toBe("idle");
  const answers = await readFile(join(place.workingDirectory, "answers.json"), "utf8");
  expect(JSON.parse(answers)).toEqual([-32_601, -32_601, -32_601]);
  expect(existsSync(join(place.workingDirectory, "planted"))).toBe(false);
});

it("a file outside is neither read nor written, and the model reads why", async () => {
  const outside = "/etc/hostname";
  const { open, requests } = await given("", [
    { call: [{ tool: "view", args: { path: outside } }] },
    { call: [{ tool: "write", args: { path: "/tmp/flotilla-planted", text: "x" } }] },
    { say: "I see." },
  ]);
  let asked = 0;
  const { session, events } = await open({
    gate: () => {
      asked += 1;
      return { allow: true };
    },
  });
  await session.exchange("do the work", { deadlineMs: 20_000 });
  expect(existsSync("/tmp/flotilla-planted")).toBe(false);
  const read = requests()
    .at(-1)
    ?.flatMap(({ role, content }) => (role === "tool" ? content : []));
  expect(read?.[0]).toMatch(/Only files in .* may be read/);
  expect(read?.[1]).toMatch(/Only files in .* may be changed/);
  expect(asked).toBe(0);
  expect(events.filter((event) => event.type === "tool_ended" && event.denied)).toHaveLength(2);
});

it("a role without a shell gets none, whatever the agent offers", async () => {
  const { open, requests, place } = await given("", [
    { call: [{ tool: "bash", args: { command: "echo > planted" } }] },
    { say: "I see." },
  ]);
  const { session } = await open({ capabilities: ["read"] });
  await session.exchange("do the work", { deadlineMs: 20_000 });
  expect(existsSync(join(place.workingDirectory, "planted"))).toBe(false);
  expect(requests().at(-1)?.at(-1)?.content).toContain("no tools of the kind shell");
});

it("an agent that ends its turn at a denial is told why and continues", async () => {
  const { open, requests } = await given("ends at a denial", [
    { call: [{ tool: "bash", args: { command: "true" } }] },
    { after: "not made", say: "Without it, then." },
  ]);
  const { session } = await open({
    gate: () => ({ allow: false, reason: "not on a Sunday", endExchange: false }),
  });
  expect(await session.exchange("do the work", { deadlineMs: 20_000 })).toEqual({
    kind: "idle",
    lastMessage: "Without it, then.",
  });
  expect(requests().at(-1)?.at(-1)?.content).toBe(
    "These calls were not made:\n- bash: not on a Sunday\nContinue without them.",
  );
});

it.each([
  ["ACP", {}, { outcome: { outcome: "cancelled" } }],
  ["a hook", HOOKED, "The turn is over.\n"],
])(
  "what an agent asks by %s once its turn is cancelled does not reach the gate",
  async (_, preset, answer) => {
    const call = [
      { tool: "view", args: { path: "README.md" } },
      { tool: "bash", args: { command: "true" } },
    ];
    const { open, place } = await given("asks when cancelled", [{ call }], { preset });
    const asked: string[] = [];
    const started = Promise.withResolvers<void>();
    const { session } = await open({
      gate: ({ toolName }) => {
        asked.push(toolName);
        started.resolve();
        return { allow: true };
      },
    });
    const exchange = session.exchange("do the work", { deadlineMs: 20_000 });
    await started.promise;
    await session.interrupt();
    expect(await exchange).toEqual({ kind: "aborted" });
    const answered = await readFile(join(place.workingDirectory, "late.json"), "utf8");
    expect(JSON.parse(answered)).toEqual(answer);
    expect(asked).toEqual(["bash"]);
  },
);

it("a try of the agent's own that comes late does not end the next exchange", async () => {
  const { open, requests } = await given("tries late", [
    { say: "Hello." },
    { after: "and now", error: { status: 400 } },
    { after: "again", say: "Better." },
  ]);
  const { session, events } = await open();
  await session.exchange("do the work", { deadlineMs: 20_000 });
  expect((await session.exchange("and now?", { deadlineMs: 20_000 })).kind).toBe("model_error");
  const before = requests().length;
  const turns = events.filter(({ type }) => type === "turn_started").length;
  expect(await session.exchange("again", { deadlineMs: 20_000 })).toEqual({
    kind: "idle",
    lastMessage: "Better.",
  });
  expect(requests().length - before).toBe(1);
  expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(turns + 1);
});

it("an agent that asks its model without end is ended by the host's limit", async () => {
  const { open, requests } = await given("loops", [{ when: ".", say: "Hm." }]);
  let calls = 0;
  const { session } = await open({
    onEvent: (event) => {
      if (event.type !== "turn_started") return;
      calls += 1;
      if (calls > 5) void session.interrupt();
    },
  });
  expect(await session.exchange("do the work", { deadlineMs: 20_000 })).toEqual({ kind: "aborted" });
  expect(requests()).toHaveLength(5);
});

it.each(["never ends", "floods"])(
  "an agent that %s and does not react is ended after the deadline, with all its processes",
  async (misbehaves) => {
    const { open, leaves } = await given(misbehaves, [], { clock: hurried });
    const { session } = await open();
    expect(await session.exchange("do the work", { deadlineMs: 2000 })).toEqual({ kind: "deadline" });
    expect(await leaves()).toEqual(NOTHING);
    expect((await session.exchange("hello?", { deadlineMs: 2000 })).kind).toBe("runtime_died");
    expect(await session.probe()).toEqual({ process: false, answered: false });
  },
);

it("an agent that stays when its input ends is killed", async () => {
  const { open, leaves } = await given("stays", [{ say: "Hello." }], { clock: hurried });
  const { session } = await open();
  await session.exchange("do the work", { deadlineMs: 20_000 });
  expect((await leaves()).processes).toBeGreaterThan(0);
  await session.stop();
  expect(await leaves()).toEqual(NOTHING);
});
