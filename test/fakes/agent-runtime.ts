import { z } from "zod";
import { builtinTools } from "../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { chooseStep, type ModelMessage } from "../../src/demo/model/choose-step.ts";
import { type ScriptInput, type ScriptStep, scriptSchema } from "../../src/demo/model/script.ts";
import { RuntimeError } from "../../src/domain/kernel/errors.ts";
import { cleanValue } from "../../src/domain/messages/printable.ts";
import type { Picture } from "../../src/domain/pictures/picture.ts";
import type { AgentRuntime, AgentSession, SessionSpec } from "../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import { type FakeExchange, startFakeExchange } from "./agent-exchange.ts";

export interface FakeAgentRuntime extends AgentRuntime {
  /** The modes that it supports; a test may remove some. */
  modes: AgentRuntime["modes"];
  /** The model's requests, in order; each contains the whole conversation. */
  readonly requests: readonly (readonly ModelMessage[])[];
  /** The pictures of each message, in order. */
  readonly pictures: readonly (readonly Picture[])[];
  /** Specs of all sessions opened so far. */
  readonly opened: readonly SessionSpec[];
  /** Ids of the sessions whose process runs. */
  readonly running: ReadonlySet<string>;
  /** Sets how full the context is in all further model calls of the session, as a share. */
  fill(sessionId: string, share: number): void;
  /** Keeps the session's process from answering probes; with `false` it answers again. */
  deafen(sessionId: string, deaf?: boolean): void;
  /** The disk with all conversations is gone. */
  loseConversations(): void;
  /** Kills the process of a session, as kill -9 would. */
  kill(sessionId: string): void;
}

const MESSAGES = z.array(
  z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: z.string() }).loose(),
);

/** Answers in place of the model. */
export type FakeModel = (messages: readonly ModelMessage[], spec: SessionSpec) => ScriptStep | undefined;

/** Creates a model from a script in the scripted model's format. */
export function scripted(input: ScriptInput): FakeModel {
  const script = scriptSchema.parse(input);
  return (messages) => chooseStep(script, messages);
}

/**
 * Creates a runtime without processes. Conversations survive `stop`. If the process or its host was killed, a
 * conversation contains what was saved, and everything up to the last answer of the model or of a tool.
 */
export function createFakeRuntime(options: {
  model: FakeModel;
  clock: Clock;
  name?: string;
}): FakeAgentRuntime {
  const disk = new Map<string, readonly ModelMessage[]>();
  const requests: (readonly ModelMessage[])[] = [];
  const shown: (readonly Picture[])[] = [];
  const opened: SessionSpec[] = [];
  const fills = new Map<string, number>();
  const deaf = new Set<string>();
  const running = new Map<string, { exchange: FakeExchange | undefined }>();

  function open(spec: SessionSpec): AgentSession {
    const messages = [...(disk.get(spec.sessionId) ?? [])];
    const resumed = messages.length > 1;
    messages[0] = {
      role: "system",
      content: `* Current working directory: ${spec.workingDirectory}\n${spec.systemPrompt}`,
    };
    const save = () => void disk.set(spec.sessionId, [...messages]);
    const state: { exchange: FakeExchange | undefined } = { exchange: undefined };
    running.set(spec.sessionId, state);
    opened.push(spec);
    let queue: Promise<unknown> = Promise.resolve();
    const alive = () => running.get(spec.sessionId) === state;

    return {
      resumed,
      version: "1.2.3",
      exchange(prompt, { deadlineMs, leftMs, pictures = [] }) {
        shown.push(pictures);
        const end = queue.then(async () => {
          if (!alive()) return { kind: "runtime_died" as const, detail: "there is no process" };
          state.exchange = startFakeExchange(
            {
              spec: {
                ...spec,
                onEvent: (event) => {
                  if (event.type === "usage" || event.type === "tool_ended") save();
                  spec.onEvent(event);
                },
              },
              answer: options.model,
              messages,
              clock: options.clock,
              deadlineMs,
              leftMs: leftMs ?? (() => 0),
              onRequest: (sent) => requests.push(sent),
              fill: () => fills.get(spec.sessionId),
            },
            prompt,
          );
          const result = await state.exchange.ended;
          state.exchange = undefined;
          return result;
        });
        queue = end;
        return end;
      },
      async interrupt() {
        state.exchange?.stop({ kind: "aborted" });
        await state.exchange?.ended;
      },
      probe: () => Promise.resolve({ process: alive(), answered: alive() && !deaf.has(spec.sessionId) }),
      save() {
        if (alive()) save();
        return Promise.resolve(alive());
      },
      async stop() {
        state.exchange?.stop({ kind: "aborted" });
        await state.exchange?.ended;
        if (!alive()) return;
        running.delete(spec.sessionId);
        save();
      },
    };
  }

  return {
    name: options.name ?? "copilot",
    tools: builtinTools,
    modes: ["continuous", "one_shot"],
    requests,
    pictures: shown,
    opened,
    get running() {
      return new Set(running.keys());
    },
    fill: (sessionId, share) => void fills.set(sessionId, share),
    deafen: (sessionId, on = true) => void (on ? deaf.add(sessionId) : deaf.delete(sessionId)),
    kill(sessionId) {
      const state = running.get(sessionId);
      running.delete(sessionId);
      state?.exchange?.stop({ kind: "runtime_died", detail: "killed" });
    },
    open: (spec) => Promise.resolve(open(spec)),
    destroy({ sessionId }) {
      disk.delete(sessionId);
      return Promise.resolve();
    },
    portable: {
      isThere: ({ sessionId }) => Promise.resolve(disk.has(sessionId)),
      pack({ sessionId }, clean) {
        const kept = disk.get(sessionId);
        return Promise.resolve(
          kept === undefined ? null : Buffer.from(JSON.stringify(cleanValue(kept, clean))),
        );
      },
      unpack({ sessionId }, packed) {
        try {
          disk.set(sessionId, MESSAGES.parse(JSON.parse(Buffer.from(packed).toString())));
        } catch {
          const damaged = new RuntimeError("session_damaged", "no pack", { consequence: "stop" });
          return Promise.reject(damaged);
        }
        return Promise.resolve();
      },
    },
    loseConversations: () => disk.clear(),
    reap(sessions) {
      const left = sessions.filter(({ sessionId }) => running.delete(sessionId));
      return Promise.resolve(left.length);
    },
  };
}
