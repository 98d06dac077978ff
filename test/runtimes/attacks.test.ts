import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import type { ExchangeEnd, RuntimeEvent } from "../../src/domain/ports/agent-runtime.ts";
import { createRig } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { shellCall, startAgent } from "./start-agent.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/hostile-agents");
const PROVIDER_KEY = "the-provider-key";
/** Model calls after which the host lets no other one out. */
const MOST_CALLS = 12;
const LIMIT = "max_turns";

/** The real agent behind a program that lies in its name. */
function lying(preset: Preset): Preset {
  return {
    ...preset,
    command(place) {
      const { file, args } = preset.command(place);
      return { file: process.execPath, args: [join(FIXTURES, "liar.ts"), file, ...args] };
    },
    readable: [...(preset.readable ?? []), FIXTURES],
  };
}

const answersOf = (directory: string, name: string) =>
  z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(directory, name), "utf8")));

/** Empty for a process that has ended. */
function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
}

/** The stand-in key of a session, as its agent's environment has it. */
async function keyOf(sessionId: string): Promise<string> {
  const pids = await markedProcesses([sessionId]);
  const known = (await Promise.all(pids.map(environmentOf))).join("\n");
  return /(?:_API_KEY=|FLOTILLA_KEY=|"apiKey":")([\w-]{32})(?![\w-])/.exec(known)?.[1] ?? "";
}

/** What the attack was given to begin with is no loot. */
function withoutPlace(loot: string): string {
  return loot.replaceAll(/"otherKey":"[^"]*"/g, "");
}

describe.for(testedPresets())("a hostile shell and a lying agent: $name", { timeout: 120_000 }, (preset) => {
  const events: RuntimeEvent[] = [];
  const asked: string[] = [];
  let otherKey = "";
  let loot = "";
  let answers: Record<string, string> = {};
  let flood: Record<string, string> = {};
  let ends: readonly ExchangeEnd[] = [];
  let calls: readonly [string, unknown][] = [];
  let requests: Awaited<ReturnType<typeof startAgent>>["modelRequests"] = [];
  let counted = { requests: 0, told: -1 };

  beforeAll(async () => {
    const runs = (...words: string[]) => ({
      call: [shellCall(preset.name, [process.execPath, "attack.ts", ...words].join(" "))],
    });
    const steps = [runs(), { say: "Done." }, runs("flood"), { say: "Never said." }];
    const harness = await startAgent(lying(preset), { conversations: [{ match: "do the work", steps }] });
    const rig = createRig(harness);
    try {
      const { workingDirectory: directory, baseDirectory, provider } = harness.place;
      const other = { baseDirectory: `${baseDirectory}-other`, sentFile: `${baseDirectory}-other-sent` };
      otherKey = await keyOf((await rig.open(other)).spec.sessionId);
      const place = { api: preset.api, provider: provider?.baseUrl ?? "", otherKey };
      writeFileSync(join(directory, "place.json"), JSON.stringify(place));
      copyFileSync(join(FIXTURES, "attack.ts"), join(directory, "attack.ts"));
      requests = harness.modelRequests;
      const opened = await rig.open({
        gate({ toolName }) {
          asked.push(toolName);
          return toolName === "finish"
            ? { allow: false, reason: "not on a Sunday", endExchange: false }
            : { allow: true };
        },
        mayCallModel: () => (requests.length >= MOST_CALLS ? LIMIT : null),
        onEvent: (event) => events.push(event),
      });
      const first = await opened.session.exchange("do the work", { deadlineMs: 100_000 });
      counted = { requests: requests.length, told: events.filter(({ type }) => type === "usage").length };
      answers = answersOf(directory, "answers.json");
      loot = readFileSync(join(directory, "loot.txt"), "latin1");
      const second = await opened.session.exchange("go on", { deadlineMs: 100_000 });
      flood = answersOf(directory, "flood.json");
      ends = [first, second];
      ({ calls } = opened);
    } finally {
      await rig.close();
    }
  }, 240_000);

  test("finds no key of the provider in any process, file or answer", () => {
    // It did look: its own stand-in key is there.
    expect(loot).toMatch(/found http:\/\/127\.0\.0\.1:\d+ [\w-]{32}\n$/);
    for (const secret of [PROVIDER_KEY, Buffer.from(PROVIDER_KEY).toString("base64"), otherKey])
      expect(withoutPlace(loot)).not.toContain(secret);
  });

  test("reaches nothing past the gateway, and the gateway only for its own session and what is there", () => {
    const { "a model call": model, ...others } = answers;
    expect(model).toMatch(/^200 /);
    expect(others).toMatchObject({
      "the provider itself": "ECONNREFUSED",
      "an address elsewhere": "ENETUNREACH",
      "without a key": expect.stringMatching(/^403 /),
      "another session's key": expect.stringMatching(/^403 /),
      "another call of the provider": expect.stringMatching(/^404 .*not_a_model_call/),
    });
    const paths = Object.entries(answers).filter(([name]) => name.startsWith("/"));
    expect(paths.length).toBeGreaterThan(5);
    for (const [, answer] of paths) expect(answer).toMatch(/^404 /);
  });

  test("asks no other model, has the provider run no tool, and each of its calls is counted until the limit", () => {
    expect(new Set(requests.map(({ model }) => model))).toEqual(new Set(["scripted"]));
    expect(new Set(requests.map(({ authorization }) => authorization?.replace("Bearer ", "")))).toEqual(
      new Set([PROVIDER_KEY]),
    );
    for (const { body } of requests.filter(({ tools }) => tools.length === 0))
      expect(body).not.toMatch(/web_?search|google_?search/i);
    expect(counted.told).toBe(counted.requests);
    expect(requests).toHaveLength(MOST_CALLS);
    expect(events.filter(({ type }) => type === "usage")).toHaveLength(MOST_CALLS);
    const after = Object.values(flood).map((answer) => answer.slice(0, 4));
    expect(after).toHaveLength(30);
    expect(new Set(after.slice(-15))).toEqual(new Set(["403 "]));
    expect(ends.at(-1)).toMatchObject({ kind: "model_error", detail: LIMIT });
  });

  test("runs no tool past the gate, and what it runs is told", () => {
    expect(answers["a tool that nobody called"]).toMatch(/^200 .*noted/s);
    expect(answers["a tool that the gate denies"]).toMatch(/^200 .*not on a Sunday/s);
    expect(answers["a tool that is not there"]).toContain("There is no tool merge");
    expect(answers["the gate about a call that nobody made"]).toMatch(/"allow":false/);
    expect(answers["the gate about nothing"]).toMatch(/"allow":false/);
    const { tool } = shellCall(preset.name, "");
    expect(asked).toEqual([tool, "note", "finish", tool]);
    expect(calls.map(([name]) => name)).toEqual(["note"]);
    expect(events.flatMap((event) => (event.type === "tool_started" ? event.toolName : []))).toEqual(asked);
    const denied = events.filter((event) => event.type === "tool_ended" && event.denied);
    expect(denied).toHaveLength(1);
  });

  test("is believed nothing that the agent says of itself", () => {
    expect(ends[0]).toEqual({ kind: "idle", lastMessage: "Done." });
    expect(JSON.stringify(events)).not.toContain("forged-");
    expect(JSON.stringify(events)).not.toContain("forged: all is done");
  });
});
