import { spawn } from "node:child_process";
import { constants } from "node:os";
import { messageOf } from "../../../domain/kernel/errors.ts";
import { printableLine } from "../../../domain/messages/printable.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Command } from "../../../domain/ports/runner.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { keptErrors } from "../process/standard-error.ts";
import { type Connection, connect, type Handlers } from "./connection.ts";
import { CLOSED } from "./message-lines.ts";

/** Characters of the end of its standard error that stand in an error. */
const SAID = 300;
/** How long the output of an agent that has ended is read. */
const LEFT_MS = 500;
/** How long it is waited for the exit code of an agent that has closed its output. */
const EXIT_MS = 1000;

/** A running agent. */
export interface AgentProcess {
  readonly connection: Connection;
  /** Resolves when it has ended. */
  readonly ended: Promise<string>;
  /** Resolves when nobody answers any more, with the rest of a sentence about it. */
  readonly lost: Promise<string>;
  /** Tells it that nothing more will be asked. */
  closeInput(): void;
  kill(): void;
}

/** Starts a command that is confined already. */
export function startAgentProcess(
  { file, args, cwd, env }: Command,
  handlers: Handlers,
  clock: Pick<Clock, "now" | "after">,
): AgentProcess {
  const child = spawn(file, args, { cwd, env: { ...env }, stdio: "pipe", detached: true });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let errors = "";
  const connection = connect({ input: child.stdout, output: child.stdin }, handlers, clock);
  const end = (how: string): void => {
    resolve(how);
    // The last answer may still be in the pipe, which a process that it left behind could keep open for ever.
    child.once("close", () => connection.lose(how));
    clock.after(LEFT_MS, () => connection.lose(how));
  };
  child.stderr.on("data", (chunk: Buffer) => {
    errors = keptErrors(errors, chunk.toString("utf8"));
  });
  child.once("error", (error) => end(`could not be started: ${messageOf(error)}`));
  child.once("exit", (code, signal) => {
    const said = printableLine(errors.trim()).slice(-SAID);
    const how = signal === null ? codeText(code) : `was ended by ${signal}`;
    end(said === "" ? how : `${how}, and said at its end: ${said}`);
  });
  return {
    connection,
    ended,
    // Its exit code says more than that it says nothing more.
    lost: connection.lost.then((why) =>
      why === CLOSED ? withTimeout(clock, EXIT_MS, ended, () => why) : why,
    ),
    closeInput: () => void child.stdin.end(),
    kill() {
      child.stdin.destroy();
      child.kill("SIGKILL");
    },
  };
}

/** bubblewrap reports a signal as 128 + n. */
function codeText(code: number | null): string {
  const signal = Object.entries(constants.signals).find(([, number]) => 128 + number === code)?.[0];
  return signal === undefined ? `ended with exit code ${code ?? "none"}` : `was ended by ${signal}`;
}
