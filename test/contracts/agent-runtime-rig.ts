import { randomUUID } from "node:crypto";
import { test } from "vitest";
import type { ModelMessage } from "../../src/demo/model/choose-step.ts";
import type { ScriptInput } from "../../src/demo/model/script.ts";
import type {
  AgentRuntime,
  AgentSession,
  HostTool,
  RuntimeEvent,
  SessionSpec,
} from "../../src/domain/ports/agent-runtime.ts";
import { isExcused } from "./excuses.ts";

/** An implementation under test with the model behind it. */
export interface RuntimeHarness {
  readonly runtime: AgentRuntime;
  /** What depends on the place where the harness runs. */
  readonly place: Pick<SessionSpec, "baseDirectory" | "workingDirectory" | "sentFile" | "provider">;
  /** The conversation as the model was sent it, once per request. */
  readonly requests: () => readonly (readonly ModelMessage[])[];
  /** Resolves when the model has got its n-th request. */
  readonly requested: (count: number) => Promise<void>;
  /** Kills the session's process as kill -9 does. */
  readonly kill: (sessionId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type Steps = ScriptInput["conversations"][number]["steps"];
export type StartRuntime = (script: ScriptInput) => Promise<RuntimeHarness>;

export interface Opened {
  readonly session: AgentSession;
  readonly spec: SessionSpec;
  readonly events: RuntimeEvent[];
  /** Calls that reached our tools: the tool's name and its arguments. */
  readonly calls: [string, unknown][];
}

/** No exchange of these tests takes so long unless it hangs. */
export const longMs = 60_000;

export interface Rig extends RuntimeHarness {
  readonly open: (overrides?: Partial<SessionSpec>) => Promise<Opened>;
}

/**
 * A test with `given(steps)`: a rig whose model follows these steps once it is told to do the work. What the implementation
 * says that it `cannot` do is skipped by name.
 */
export function runtimeTest(start: StartRuntime, cannot: readonly string[]) {
  return test.extend<{ given: (steps: Steps) => Promise<Rig> }>({
    given: async ({ onTestFinished, task, skip }, use) => {
      skip(isExcused(task.name, cannot), "the implementation says that it cannot");
      await use(async (steps) => {
        const script = { conversations: [{ match: "Role: contract.*do the work", steps }] };
        const rig = createRig(await start(script));
        onTestFinished(rig.close);
        return rig;
      });
    },
  });
}

/** Opens sessions with three tools of ours: `note`, `refuse` (always fails) and `finish` (terminal, fails without a summary). */
export function createRig(harness: RuntimeHarness): Rig {
  const sessions: AgentSession[] = [];
  return {
    ...harness,
    async open(overrides = {}) {
      const events: RuntimeEvent[] = [];
      const calls: [string, unknown][] = [];
      const spec: SessionSpec = {
        ...harness.place,
        sessionId: `contract-${randomUUID()}`,
        environment: {},
        model: "scripted",
        sees: false,
        otherModels: [],
        effort: undefined,
        accountKey: undefined,
        systemPrompt: `You are a test. Role: contract.\nWorking directory: ${harness.place.workingDirectory}`,
        capabilities: ["read", "edit", "shell"],
        tools: [
          recorded("note", false, calls, () => ({ ok: true, text: "noted" })),
          recorded("refuse", false, calls, () => ({ ok: false, text: "refused, for a reason" })),
          recorded("finish", true, calls, (args) =>
            typeof args["summary"] === "string"
              ? { ok: true, text: "finished" }
              : { ok: false, text: "summary must be a string" },
          ),
        ],
        gate: () => ({ allow: true }),
        temperature: undefined,
        mayCallModel: () => null,
        remark: () => null,
        onEvent: (event) => events.push(event),
        ...overrides,
      };
      const session = await harness.runtime.open(spec);
      sessions.push(session);
      return { session, spec, events, calls };
    },
    async close() {
      await Promise.all(sessions.map((session) => session.stop()));
      await harness.close();
    },
  };
}

function recorded(
  name: string,
  terminal: boolean,
  calls: [string, unknown][],
  answer: (args: Record<string, unknown>) => { ok: boolean; text: string },
): HostTool {
  return {
    name,
    terminal,
    description: `The tool ${name}.`,
    parameters: { type: "object", properties: { summary: { type: "string" } } },
    call: (args) => {
      calls.push([name, args]);
      return Promise.resolve(answer(Object(args)));
    },
  };
}

/** The texts of a conversation's messages of one role. */
export function textsOf(messages: readonly ModelMessage[] | undefined, role: ModelMessage["role"]): string[] {
  return (messages ?? []).filter((message) => message.role === role).map(({ content }) => content);
}
