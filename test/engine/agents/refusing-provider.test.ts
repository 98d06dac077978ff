import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { createSessionGateway } from "../../../src/adapters/runtimes/gateway/create-session-gateway.ts";
import { dialectOf } from "../../../src/adapters/runtimes/gateway/dialects/dialect-of.ts";
import { RefusedModels } from "../../../src/adapters/runtimes/gateway/refused-models.ts";
import type { SessionSpec } from "../../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import { TalkingAgent } from "../../adapters/runtimes/gateway/talking-agent.ts";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { LIMITS, PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig } from "../rig.ts";
import { commit, complete, edit, on, openPr, slowly } from "../scripts.ts";
import { dataOf } from "../told.ts";

const USED = { input_tokens: 1000, output_tokens: 0 };
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** An answer that is another one each time: the same again and again would be no progress. */
const working = (count: number) => ({
  type: "message",
  content: [{ type: "tool_use", id: `call-${count}`, name: "bash", input: { command: `step ${count}` } }],
  stop_reason: "tool_use",
  usage: USED,
});

/** A provider of Anthropic's API, of which the models in `refusing` answer that there were too many requests. */
async function provider() {
  const asked: string[] = [];
  const refusing = new Set(["big"]);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const model = String(JSON.parse(Buffer.concat(chunks).toString()).model);
      asked.push(model);
      const answer = refusing.has(model)
        ? { type: "error", error: { type: "rate_limit_error", message: "Slow down." } }
        : { ...working(asked.length), model: `${model}-2026-11-01` };
      response.writeHead(refusing.has(model) ? 429 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { asked, refusing, origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

/** Returns how an agent in a session of the engine's takes its next step, by the gateway that such sessions have. */
async function stepIn(spec: SessionSpec, host: { clock: Clock; refused: RefusedModels }) {
  if (spec.provider === undefined) throw new Error("the session has no provider");
  const gateway = await createSessionGateway(
    { ...spec, provider: spec.provider },
    { ...host, log, remarksFile: null, toolName: (raw) => raw, takesBack: false },
  );
  gateway.begin("do the work");
  const agent = new TalkingAgent(dialectOf(spec.provider), gateway).says("do the work");
  agent.tools = ["bash", ...spec.tools.map(({ name }) => name)];
  return async () => {
    const { status, calls } = await agent.asks();
    expect([status, calls.length]).toEqual([200, 1]);
    agent.results(calls, `result ${calls[0]?.id}`);
  };
}

it("a provider that refuses for an hour is passed over at once, told, and asked again afterwards", async () => {
  const { asked, refusing, origin } = await provider();
  const prices = new Map([
    ["big", { input: 10_000_000, cached: 0, output: 0 }],
    ["small", { input: 1_000_000, cached: 0, output: 0 }],
  ]);
  const acme = { ...PROVIDER, type: "anthropic" as const, baseUrl: origin, apiKeyEnv: "ACME_KEY" };
  const rig = await aRig({
    script: [on(1, slowly(2 * HOUR, edit()), commit, openPr, complete)],
    settings: {
      providers: { acme },
      runtimes: { claude: { preset: "claude", models: ["acme/big", "acme/small"] } },
      roles: rolesOf(aRole()),
      runtime: { ...someSettings().runtime, use: "claude", prices },
      limits: {
        ...someSettings().limits,
        defaults: { ...LIMITS, maxActiveDurationMs: 3 * HOUR, maxTurns: 1000 },
      },
    },
  });
  await rig.engine.handle(labeled(rig, 1));
  const claude = rig.others.get("claude");
  await rig.until("it talks", () => claude?.requests.length === 1);
  const [spec] = claude?.opened ?? [];
  if (spec === undefined) throw new Error("no session was opened");
  const host = { clock: rig.clock, refused: new RefusedModels(rig.clock) };
  const step = await stepIn(spec, host);

  const began = rig.clock.now();
  await step();
  // No time has passed: the next was asked within the same call.
  expect([asked, rig.clock.now() - began]).toEqual([["big", "small"], 0]);
  for (let minute = 0; minute < 60; minute += 1) {
    await rig.work(MINUTE);
    await step();
  }
  // The first was tried again in between, ever more seldom.
  const tried = asked.filter((model) => model === "big").length;
  expect(tried).toBeGreaterThan(3);
  expect(tried).toBeLessThan(12);
  refusing.clear();
  await rig.work(10 * MINUTE);
  asked.length = 0;
  for (let time = 0; time < 3; time += 1) await step();
  expect(asked).toEqual(["big", "big", "big"]);

  await rig.quiet();
  expect(await dataOf(rig, "agent:model")).toEqual([
    { from: "big", to: "small", reason: "big answered 429" },
    { from: "small", to: "big", reason: "big answers again" },
  ]);
  const { state, costMicroUsd } = await agentOf(rig);
  expect(state).toBe("ACTIVE");
  expect(costMicroUsd).toBe(61 * 1000 + 3 * 10_000);
});
