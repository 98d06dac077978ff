import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { Runner } from "../../src/domain/ports/runner.ts";
import type { ServiceEnd } from "../../src/domain/ports/service-host.ts";
import { startServices } from "../../src/engine/services/start-services.ts";

const NODE = process.execPath;
const SERVER = `exec ${NODE} -e 'console.log("listens"); require("net").createServer((s) => s.end(process.env.GREETING)).listen(process.env.PORT, "127.0.0.1")'`;
const CONNECT = `${NODE} -e 'require("net").connect(process.env.PORT, "127.0.0.1").on("error", () => process.exit(1)).pipe(process.stdout)'`;

const clock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/** Returns a port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** What every way of confinement must keep of the services beside a command. */
export function describeServices(name: string, makeRunner: (clock: Clock) => Runner): void {
  const runner = makeRunner(clock);

  async function beside(
    script: string,
    { env = {}, limitMs = 60_000 }: { env?: object; limitMs?: number } = {},
  ) {
    const directory = mkdtempSync(join(tmpdir(), "flotilla-services-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const host = await runner.services();
    onTestFinished(() => host.close());
    const ends: ServiceEnd[] = [];
    const { promise: firstEnd, resolve } = Promise.withResolvers<ServiceEnd>();
    host.onEnd((end) => {
      ends.push(end);
      resolve(end);
    });
    const mark = `run-${randomUUID()}@${directory}`;
    const abort = new AbortController();
    const places = join(directory, "services");
    const running = runner.run(
      {
        file: "/bin/sh",
        args: ["-c", script],
        cwd: directory,
        env: { PATH: "/usr/bin:/bin", PORT: String(await freePort()), OURS: host.directory, ...env },
      },
      {
        writable: [directory],
        readable: [],
        hosts: [],
        registries: false,
        timeoutMs: limitMs,
        signal: abort.signal,
        maxOutputBytes: 10_000,
        mark,
        services: host,
      },
    );
    const start = (services: Record<string, { run: string; ready: string; withinMs?: number }>) =>
      startServices(
        clock,
        host,
        Object.fromEntries(
          Object.entries(services).map(([key, one]) => [key, { withinMs: 30_000, env: {}, ...one }]),
        ),
        { directory: places, signal: abort.signal },
      );
    return { directory, places, host, ends, firstEnd, mark, abort, running, start };
  }

  describe(`services beside a command: ${name}`, { timeout: 60_000 }, () => {
    test("are reached at its loopback address, have its environment, and are gone with it", async () => {
      const { start, host, running, mark, places } = await beside(CONNECT, { env: { GREETING: "hello" } });
      mkdirSync(join(places, "greeter"), { recursive: true });
      writeFileSync(join(places, "greeter", "old"), "of an earlier start");
      const run = `ls -A "$FLOTILLA_SERVICE_DIR"; touch "$FLOTILLA_SERVICE_DIR/mine"; ${SERVER}`;
      expect(await start({ greeter: { run, ready: CONNECT } })).toEqual([]);
      expect(await host.log("greeter")).toBe("listens\n");
      host.release();
      expect(await running).toMatchObject({ exitCode: 0, output: "hello" });
      expect(await markedProcesses([mark])).toEqual([]);
      expect(existsSync(join(places, "greeter", "mine"))).toBe(true);
      expect(readFileSync(join(places, "greeter.log"), "utf8")).toBe("listens\n");
    });

    test("the command begins when it is released, and keeps its exit code", async () => {
      const { host, running, directory, start } = await beside("echo > began; exit 7");
      await start({ quick: { run: "exec sleep 1000", ready: "true" } });
      expect(existsSync(join(directory, "began"))).toBe(false);
      host.release();
      expect(await running).toMatchObject({ exitCode: 7, signal: null });
    });

    test("a command that is never released ends when it is aborted, its services too", async () => {
      const { abort, running, mark, start, directory } = await beside("echo > began");
      await start({ quick: { run: "exec sleep 1000", ready: "true" } });
      abort.abort();
      expect(await running).toMatchObject({ exitCode: null, timedOut: false });
      expect(existsSync(join(directory, "began"))).toBe(false);
      expect(await markedProcesses([mark])).toEqual([]);
    });

    test("one that is killed while the command runs is told, with the end of its output", async () => {
      const script = 'kill -9 "$(cat services/fragile/pid)"; sleep 1000';
      const { host, start, firstEnd, abort, running } = await beside(script);
      const run = 'echo "I am up"; echo $$ > "$FLOTILLA_SERVICE_DIR/pid"; exec sleep 1000';
      await start({ fragile: { run, ready: 'test -s "$FLOTILLA_SERVICE_DIR/pid"' } });
      host.release();
      expect(await firstEnd).toEqual({
        name: "fragile",
        exitCode: null,
        signal: "SIGKILL",
        log: "I am up\n",
      });
      abort.abort();
      await running;
    });

    test("one that ends before it is ready, and one that never is, are named with their output", async () => {
      const { host, start, running } = await beside("true");
      // From then on what is started is started at once.
      await start({ first: { run: "exec sleep 1000", ready: "true" } });
      const failures = await start({
        wrong: { run: "echo no such option >&2; exit 3", ready: "false" },
        slow: { run: "echo starting; exec sleep 1000", ready: "false", withinMs: 1000 },
      });
      expect(failures).toMatchObject([
        { name: "wrong", end: { exitCode: 3, signal: null }, log: "no such option\n" },
        { name: "slow", end: null, log: "starting\n" },
      ]);
      host.release();
      await running;
    });

    test("are found and killed by the mark of their command, as after a crash", async () => {
      const { host, start, running, mark } = await beside("exec sleep 1000");
      const run = 'echo > "$FLOTILLA_SERVICE_DIR/up"; exec setsid sleep 1000';
      await start({ daemon: { run, ready: 'test -e "$FLOTILLA_SERVICE_DIR/up"' } });
      host.release();
      // What runs the command and the service; the command itself may not have begun.
      expect(await runner.killMarked([mark])).toBeGreaterThanOrEqual(2);
      expect(await runner.countMarked([mark])).toBe(0);
      await running.catch(() => undefined);
    });

    test("nothing beside the command can speak for them", async () => {
      const paths = ["/run/flotilla/services/host.sock", '"$OURS/host.sock"'];
      const forge = `require("net").connect(process.argv[1]).on("connect", () => console.log("reached")).on("error", () => console.log("refused"))`;
      const script = paths.map((path) => `${NODE} -e '${forge}' ${path}`).join("; ");
      const { host, start, running, ends } = await beside(script);
      await start({ quick: { run: "exec sleep 1000", ready: "true" } });
      host.release();
      expect((await running).output).toBe("refused\nrefused\n");
      expect(ends).toEqual([]);
    });

    test("a flood of output neither fills the disk nor hides the end", async () => {
      const { host, start, running, places } = await beside("true");
      const run = "head -c 3000000 /dev/zero | tr '\\0' 'x'; echo; echo the end; exec sleep 1000";
      const ready = 'grep -q "the end" "$FLOTILLA_SERVICE_DIR.log"';
      expect(await start({ loud: { run, ready } })).toEqual([]);
      expect((await host.log("loud")).endsWith("x\nthe end\n")).toBe(true);
      expect(readFileSync(join(places, "loud.log")).length).toBeLessThanOrEqual(1024 * 1024);
      host.release();
      await running;
    });
  });
}
