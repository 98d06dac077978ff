import { type ChildProcess, spawn } from "node:child_process";
import { ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { constants } from "node:os";
import { createInterface } from "node:readline";

/**
 * Runs inside the sandbox, in front of the command: does what the host asks over its socket (starts services, tries
 * whether one is ready, tells the end of its output), runs the command when it is released, and exits with its exit code.
 * Arguments: the socket's path, the command. Imports none of our modules, because they cannot be read inside.
 */
const [socket = "", file = "", ...args] = process.argv.slice(2);

const TRY_MS = 10_000;
const TAIL_CHARACTERS = 4_000;
const LOG_BYTES = 1024 * 1024;
/** A signal is passed on to a command that did not get it itself. */
const PASSED_ON_MS = 500;
/** How long the last output of a service that has ended is read. */
const OUTPUT_MS = 100;

interface Service {
  readonly ready: string;
  readonly env: NodeJS.ProcessEnv;
  readonly child: ChildProcess;
  tail: string;
}

const services = new Map<string, Service>();
let command: ChildProcess | undefined;
let isEnding = false;

// This process ends only with the command. To end it, the whole group is signalled, or this process alone.
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(name, () => {
    isEnding = true;
    if (command === undefined) end(128 + constants.signals[name]);
    else setTimeout(() => command?.kill(name), PASSED_ON_MS);
  });

const host = connect(socket);
host.on("error", () => host.destroy());
host.on("close", () => {
  // The command would never be released.
  if (command === undefined) end(1);
});
const lines = createInterface({ input: host });
// It passes on the socket's error; what follows from that is done at its close.
lines.on("error", () => host.destroy());
lines.on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.start !== undefined) start(asked.start);
  if (asked.ready !== undefined) attempt(asked.ready);
  if (asked.log !== undefined) tell({ log: asked.log, text: services.get(asked.log)?.tail ?? "" });
  if (asked.release === true) release();
});

function tell(told: object): void {
  if (!host.destroyed) host.write(`${JSON.stringify(told)}\n`);
}

function start(asked: { name: string; run: string; ready: string; directory: string }): void {
  const { name, run, ready, directory } = asked;
  const env = { ...process.env, FLOTILLA_SERVICE_DIR: directory };
  try {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const keep = logTo(`${directory}.log`);
    // A group of its own, so that all of it can be ended.
    const child = spawn("/bin/sh", ["-c", run], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const service: Service = { ready, env, child, tail: "" };
    services.set(name, service);
    for (const output of [child.stdout, child.stderr])
      output.on("data", (chunk: Buffer) => {
        service.tail = (service.tail + chunk.toString("utf8")).slice(-TAIL_CHARACTERS);
        keep(chunk);
      });
    child.once("error", (error) => failed(name, error));
    // Not at the end of its output: a child that keeps the pipe open must not hide the end of the service.
    child.once("exit", (exitCode, signal) =>
      setTimeout(() => {
        if (!isEnding) tell({ ended: name, exitCode, signal, text: service.tail });
      }, OUTPUT_MS),
    );
  } catch (error) {
    failed(name, error);
  }
}

function failed(name: string, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  tell({ ended: name, exitCode: 127, signal: null, text });
}

/** Returns what adds to the file of the log. Below its limit it is whole; a full one begins again. */
function logTo(path: string): (chunk: Buffer) => void {
  rmSync(path, { recursive: true, force: true });
  const log = openSync(path, "wx", 0o600);
  let size = 0;
  return (chunk) => {
    const kept = chunk.subarray(-LOG_BYTES);
    try {
      if (size + kept.length > LOG_BYTES) {
        ftruncateSync(log, 0);
        size = 0;
      }
      size += writeSync(log, kept, 0, kept.length, size);
    } catch {
      // A full disk must not end the service.
    }
  };
}

function attempt(name: string): void {
  const service = services.get(name);
  if (service === undefined) return tell({ ready: name, holds: false });
  const { env, ready } = service;
  const child = spawn("/bin/sh", ["-c", ready], {
    env,
    stdio: "ignore",
    timeout: TRY_MS,
    killSignal: "SIGKILL",
  });
  child.once("error", () => tell({ ready: name, holds: false }));
  child.once("exit", (code) => tell({ ready: name, holds: code === 0 }));
}

function release(): void {
  if (command !== undefined) return;
  command = spawn(file, args, { stdio: "inherit" });
  command.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    end(127);
  });
  command.once("exit", (code, signal) => {
    end(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
}

function end(code: number): void {
  isEnding = true;
  for (const { child } of services.values()) {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended.
    }
  }
  process.exit(code);
}
