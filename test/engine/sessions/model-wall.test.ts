import { expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import type { AgentRuntime, AgentSession, SessionSpec } from "../../../src/domain/ports/agent-runtime.ts";
import { redactingRuntime } from "../../../src/engine/sessions/redacting-runtime.ts";
import { OUR_SECRET } from "../rig.ts";

const SPEC: SessionSpec = {
  sessionId: "one",
  baseDirectory: "/data/one",
  workingDirectory: "/data/tree",
  sentFile: null,
  environment: {},
  sees: false,
  model: "any",
  provider: undefined,
  otherModels: [],
  effort: undefined,
  accountKey: undefined,
  systemPrompt: `You know ${OUR_SECRET}.`,
  capabilities: [],
  tools: [
    {
      name: "note",
      description: "Notes.",
      parameters: { type: "object" },
      terminal: false,
      call: () => Promise.resolve({ ok: true, text: `Noted: ${OUR_SECRET}` }),
    },
  ],
  gate: () => ({ allow: false, reason: `Not with ${OUR_SECRET}`, endExchange: false }),
  temperature: undefined,
  mayCallModel: () => null,
  remark: () => `Mind ${OUR_SECRET}`,
  onEvent: () => undefined,
};

it("takes secrets out of each of the five ways on which words of ours reach a model", async () => {
  const heard: string[] = [];
  const session: AgentSession = {
    resumed: false,
    version: null,
    exchange(prompt) {
      heard.push(prompt);
      return Promise.resolve({ kind: "idle", lastMessage: "" });
    },
    interrupt: () => Promise.resolve(),
    probe: () => Promise.resolve({ process: true, answered: true }),
    save: () => Promise.resolve(true),
    stop: () => Promise.resolve(),
  };
  const runtime: AgentRuntime = {
    name: "listening",
    tools: new Map(),
    modes: ["continuous"],
    async open(spec) {
      const context = { toolCallId: "1", signal: new AbortController().signal };
      const answers = await Promise.all(spec.tools.map((tool) => tool.call({}, context)));
      const gate = await spec.gate({ toolName: "note", args: {} });
      const remark = await spec.remark();
      heard.push(spec.systemPrompt, ...answers.map(({ text }) => text), JSON.stringify(gate), String(remark));
      return session;
    },
    destroy: () => Promise.resolve(),
    reap: () => Promise.resolve(0),
  };
  const wall = redactingRuntime(runtime, {
    redact: redactor([OUR_SECRET]),
    nonce: () => "word",
    digest: () => "d".repeat(64),
  });
  const opened = await wall.open(SPEC);
  await opened.exchange(`Work on ${OUR_SECRET}`, { deadlineMs: 1000 });
  expect(heard).toEqual([
    "You know [redacted].",
    "Noted: [redacted]",
    '{"allow":false,"reason":"Not with [redacted]","endExchange":false}',
    "Mind [redacted]",
    "Work on [redacted]",
  ]);
});
