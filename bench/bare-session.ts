import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { approveAll, CopilotClient, RuntimeConnection, ToolSet } from "@github/copilot-sdk";
import { findRuntime } from "../src/adapters/runtimes/copilot/runtime-path.ts";
import { readProcesses } from "../src/adapters/sandbox/process-table.ts";
import type { ScriptedModel } from "../src/demo/model/scripted-model.ts";
import { megabytesBelow, megabytesOf } from "./processes.ts";
import { until } from "./work.ts";

/** Marks the processes of one session. */
const MARK = "FLOTILLA_BENCH";

/** A conversation that the Copilot SDK runs by itself, with its own runtime process. */
export interface BareSession {
  /** Milliseconds from the start until the model got its first request. */
  readonly ms: number;
  /** Returns the memory of its runtime, whose model call is still open. */
  readonly megabytes: () => Promise<number>;
  close(): Promise<void>;
}

/** Opens a session with the minimum that the SDK requires: no tools, no sandbox, no conversation to resume. */
async function openBareSession(model: ScriptedModel, directory: string): Promise<BareSession> {
  const mark = `${MARK}=${randomUUID()}`;
  const baseDirectory = join(directory, mark);
  await mkdir(baseDirectory);
  const began = performance.now();
  const client = new CopilotClient({
    mode: "empty",
    baseDirectory,
    workingDirectory: baseDirectory,
    useLoggedInUser: false,
    logLevel: "error",
    connection: RuntimeConnection.forStdio({
      path: findRuntime(),
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: baseDirectory,
        COPILOT_OFFLINE: "true",
        [MARK]: mark.slice(MARK.length + 1),
      },
    }),
  });
  try {
    await client.start();
    const session = await client.createSession({
      model: "gpt-4.1",
      workingDirectory: baseDirectory,
      availableTools: new ToolSet(),
      provider: { type: "openai", wireApi: "completions", baseUrl: model.url, apiKey: "a key" },
      onPermissionRequest: approveAll,
    });
    await session.send({ prompt: mark });
    await until("the model is asked", () =>
      model.requests.some(({ messages }) => messages.some(({ content }) => content.includes(mark))),
    );
  } catch (error) {
    await client.forceStop();
    throw error;
  }
  const ms = performance.now() - began;
  return {
    ms,
    async megabytes() {
      const own = (await readProcesses()).find(({ environment }) => environment.includes(mark));
      if (own === undefined) throw new Error("the runtime has no process of its own");
      return (await megabytesOf(own.pid)) + (await megabytesBelow(own.pid));
    },
    close: () => client.forceStop(),
  };
}

/** Opens this many sessions, and closes them after `work`. */
export async function withBareSessions<T>(
  count: number,
  { model, directory }: { readonly model: ScriptedModel; readonly directory: string },
  work: (sessions: readonly BareSession[]) => Promise<T>,
): Promise<T> {
  const sessions: BareSession[] = [];
  try {
    while (sessions.length < count) sessions.push(await openBareSession(model, directory));
    return await work(sessions);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}
