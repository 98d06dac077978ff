import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as nextLook } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { CommandResult, Reach, Runner, RunOptions } from "../../src/domain/ports/runner.ts";
import { isAsleep, longSleep } from "./sleepers.ts";

/** Twenty seconds pass in one, so that the time which processes are given to end costs no test its own. */
const began = Date.now();
const hurried: Clock = {
  now: () => began + (Date.now() - began) * 20,
  after(ms, fn) {
    const timer = setTimeout(fn, ms / 20);
    return () => clearTimeout(timer);
  },
};

const SYSTEM = { PATH: "/usr/bin:/bin" };
const MINUTE = 60_000;

/** For a process that is to have its time whatever else the machine does. */
const real: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

async function whenThere(path: string): Promise<void> {
  while (!existsSync(path)) await nextLook(10);
}

/** What every way of confinement must keep. */
export function describeRunner(name: string, makeRunner: (clock: Clock) => Runner): void {
  const hasty = makeRunner(hurried);

  /** Runs a script of the shell in a new directory, under a mark of its own. */
  async function shell(
    script: string,
    options: Partial<RunOptions> & {
      env?: Record<string, string>;
      runner?: Runner;
      onStart?: (directory: string) => void;
    } = {},
  ): Promise<CommandResult & { mark: string; directory: string }> {
    const directory = mkdtempSync(join(tmpdir(), "flotilla-runner-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const { env = SYSTEM, mark = `run-${randomUUID()}@${directory}`, runner = hasty, ...rest } = options;
    const { onStart, ...asked } = rest;
    onStart?.(directory);
    const result = await runner.run(
      { file: "/bin/sh", args: ["-c", script], cwd: directory, env },
      {
        writable: [directory],
        readable: [],
        hosts: [],
        registries: false,
        timeoutMs: MINUTE,
        signal: new AbortController().signal,
        maxOutputBytes: 10_000,
        mark,
        ...asked,
      },
    );
    return { ...result, mark, directory };
  }

  describe(`runner contract: ${name}`, () => {
    test("runs a command to its good end", async () => {
      expect((await confined(hasty, "/bin/sh", ["-c", "true"])).code).toBe(0);
    });

    test("passes the exit code", async () => {
      expect((await confined(hasty, "/bin/sh", ["-c", "exit 7"])).code).toBe(7);
    });

    test("passes the arguments unchanged and the environment exactly as given", async () => {
      const { output } = await confined(hasty, "/usr/bin/env", ["-u", "a b", "A=1 2"], { GIVEN: "x y" });
      const lines = output.split("\n").filter((line) => line !== "" && !line.startsWith("PWD="));
      expect(lines).toEqual(["GIVEN=x y", "A=1 2"]);
    });

    test("reaches a socket of the host at a port of its own", async () => {
      const port = await hasty.port();
      onTestFinished(() => port.close());
      expect(statSync(dirname(port.path)).mode & 0o777).toBe(0o700);
      const host = createServer({ allowHalfOpen: true }, (socket) => {
        void text(socket).then((asked) => socket.end(`told ${asked}`));
      });
      await once(host.listen(port.path), "listening");
      onTestFinished(() => void host.close());
      const script = `const { connect } = require("node:net");
        connect(${port.port}, "127.0.0.1").on("error", (error) => console.log(error.code)).end("asked").pipe(process.stdout);`;
      const asked = await confined(hasty, process.execPath, ["-e", script], {}, { port });
      expect(asked).toEqual({ code: 0, output: "told asked" });
      port.close();
      port.close();
      expect(existsSync(dirname(port.path))).toBe(false);
    });

    test("says what it does", () => {
      expect(hasty.description).not.toBe("");
    });

    describe("run", () => {
      test("tells exit code, output of both streams and how long it took", async () => {
        const result = await shell("echo out; echo err >&2; sleep 0.1; exit 3");
        expect(result).toMatchObject({ exitCode: 3, signal: null, timedOut: false });
        expect(result.output.split("\n").toSorted()).toEqual(["", "err", "out"]);
        expect(result.durationMs).toBeGreaterThan(1000);
      });

      test("tells the signal that ended it", async () => {
        expect(await shell("kill -USR1 $$")).toMatchObject({ exitCode: null, signal: "SIGUSR1" });
      });

      test("gives it no input to wait for", async () => {
        expect(await shell("read line; echo $?")).toMatchObject({ exitCode: 0, output: "1\n" });
      });

      test("gives it the environment that was given and its mark, and nothing of ours", async () => {
        process.env["FLOTILLA_TEST_SECRET"] = "hidden";
        onTestFinished(() => {
          delete process.env["FLOTILLA_TEST_SECRET"];
        });
        const { output, mark } = await shell("exec /usr/bin/env", { env: { ONLY: "this" } });
        const lines = output.split("\n").filter((line) => line !== "" && !line.startsWith("PWD="));
        expect(lines.toSorted()).toEqual([`FLOTILLA_SESSION=${mark}`, "ONLY=this"]);
      });

      test("is found by its mark, however long its environment is", async () => {
        const abort = new AbortController();
        const env = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`A${at}`, "x".repeat(4096)]));
        const mark = `run-${randomUUID()}@/long`;
        const running = shell("echo > up; while :; do :; done", {
          env,
          mark,
          signal: abort.signal,
          onStart: (directory) =>
            void whenThere(join(directory, "up"))
              .then(() => markedProcesses([mark]))
              .then((found) => abort.abort(found.length)),
        });
        await running;
        expect(abort.signal.reason).toBeGreaterThan(0);
      });

      test("keeps the end of a flood and says how much came before it", async () => {
        const script = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done";
        const { output } = await shell(script, { maxOutputBytes: 1000 });
        expect(output).toMatch(/^\[\d+ bytes left out\]\n/);
        expect(output.length).toBeLessThan(1050);
        expect(output.endsWith("line 19999\n")).toBe(true);
      });

      test("ends at its time limit, and its children with it", async () => {
        const long = longSleep();
        const result = await shell(`sleep ${long} & echo begun; wait`, { timeoutMs: 5000 });
        expect(result).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
        expect(result.signal).not.toBeNull();
        expect(await isAsleep(long)).toBe(false);
      });

      test("lets it end in good order", async () => {
        const abort = new AbortController();
        const running = shell("trap 'echo tidied; exit 0' TERM; echo > up; while :; do sleep 0.02; done", {
          signal: abort.signal,
          runner: makeRunner(real),
          onStart: (directory) => void whenThere(join(directory, "up")).then(() => abort.abort()),
        });
        expect(await running).toMatchObject({
          exitCode: null,
          timedOut: false,
          output: expect.stringContaining("tidied"),
        });
      });

      test("kills it 5 s later when it does not end", async () => {
        const stubborn = await shell("trap '' TERM; while :; do sleep 0.02; done", { timeoutMs: 2000 });
        expect(stubborn).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
        expect(stubborn.durationMs).toBeGreaterThan(7000);
        expect(await markedProcesses([stubborn.mark])).toEqual([]);
      });

      test("leaves no daemon that began a session of its own and forked twice", async () => {
        const long = longSleep();
        const daemon = `setsid sh -c 'sh -c "echo > up; exec sleep ${long}" & exit 0'`;
        const result = await shell(`${daemon}; until [ -s up ]; do sleep 0.02; done`);
        expect(result).toMatchObject({ exitCode: 0, timedOut: false });
        expect(await isAsleep(long)).toBe(false);
        expect(await markedProcesses([result.mark])).toEqual([]);
      });

      test("leaves no child that dropped its mark and was left by its parent", async () => {
        const long = longSleep();
        const runaway = `env -i /bin/sh -c 'echo > up; exec /bin/sleep ${long}' &`;
        await shell(`(${runaway}) ; until [ -s up ]; do sleep 0.02; done; sleep 1000`, {
          timeoutMs: 5000,
        });
        expect(await isAsleep(long)).toBe(false);
      });

      test("ends when it is aborted, before it began too", async () => {
        const abort = new AbortController();
        const running = shell("echo $$ > pid; sleep 1000", {
          signal: abort.signal,
          runner: makeRunner(real),
        });
        setTimeout(() => abort.abort(), 100);
        expect(await running).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: false });
        const never = await shell("sleep 1000", { signal: AbortSignal.abort(), runner: makeRunner(real) });
        expect(never).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: false });
      });

      test("says that a command which is not there did not start", async () => {
        const command = { file: "/no/such/file", args: [], cwd: tmpdir(), env: {} };
        const options = {
          writable: [],
          readable: [],
          hosts: [],
          registries: false,
          timeoutMs: MINUTE,
          signal: new AbortController().signal,
          maxOutputBytes: 100,
          mark: `run-${randomUUID()}`,
        };
        await expect(hasty.run(command, options)).rejects.toMatchObject({
          code: "command_not_started",
          consequence: "tell",
          advice: expect.any(String),
        });
      });
    });

    test("kills by the mark what a crash left, and says how many it found", async () => {
      const mark = `left-${randomUUID()}@/data/a`;
      const left = spawn("/bin/sh", ["-c", "sleep 1000 & echo ready; wait"], {
        env: { ...SYSTEM, FLOTILLA_SESSION: mark },
        stdio: ["ignore", "pipe", "ignore"],
      });
      await new Promise((resolve) => left.stdout.once("data", resolve));
      expect(await hasty.countMarked([mark])).toBe(2);
      expect(await hasty.killMarked([mark])).toBe(2);
      expect(await hasty.countMarked([mark])).toBe(0);
      expect(await hasty.killMarked([mark])).toBe(0);
    });
  });
}

async function confined(
  runner: Runner,
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  more: Partial<Reach> = {},
): Promise<{ code: number; output: string }> {
  const reach = { writable: [], readable: [], hosts: [], registries: false, ...more };
  const command = await runner.confine({ file, args, cwd: tmpdir(), env }, reach);
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? -1));
  });
  return { output: await text(child.stdout), code: await closed };
}
