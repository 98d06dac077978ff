import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import { startServices } from "../../src/engine/services/start-services.ts";
import { agentDirectories } from "../../src/server/session-directories.ts";
import { realClock } from "../adapters/runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { portOf } from "../listening.ts";

const NODE = process.execPath;
const ENV = { PATH: "/usr/bin:/bin" };
const runner = confinedRunner(realClock);
const never = new AbortController().signal;

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-attack-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs one service in the sandbox beside a command that is released once the service was tried. */
async function attack(run: string, { ready, script = "true" }: { ready: string; script?: string }) {
  const directory = aDirectory();
  const host = await runner.services();
  onTestFinished(() => host.close());
  const mark = `attack-${Math.random()}@${directory}`;
  const running = runner.run(
    { file: "/bin/sh", args: ["-c", script], cwd: directory, env: ENV },
    {
      writable: [directory],
      readable: [],
      hosts: [],
      registries: false,
      mark,
      timeoutMs: 60_000,
      signal: never,
      maxOutputBytes: 10_000,
      services: host,
    },
  );
  const services = { evil: { run, ready, withinMs: 30_000, env: {} } };
  const places = join(directory, "services");
  const failures = await startServices(realClock, host, services, { directory: places, signal: never });
  host.release();
  return { result: await running, failures, mark, log: () => readFileSync(join(places, "evil.log"), "utf8") };
}

/** A server of the host on its loopback; returns its port and how often somebody came. */
async function onHost(): Promise<{ readonly port: number; readonly visits: () => number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on("error", () => {}).end();
  });
  return { port: await portOf(server), visits: () => visits };
}

describeConfined("a hostile service", { timeout: 60_000 }, () => {
  test("neither reaches the host's loopback nor takes a port from it, and the host does not reach it", async () => {
    const { port, visits } = await onHost();
    const run = `${NODE} -e '
      const net = require("net");
      net.connect(${port}, "127.0.0.1").on("connect", () => console.log("reached")).on("error", (e) => {
        console.log("refused", e.code);
        net.createServer(() => console.log("visited")).listen(${port}, "0.0.0.0", () => console.log("listens"));
      });'`;
    const { failures, log } = await attack(run, {
      ready: 'grep -q "listens\\|reached" "$FLOTILLA_SERVICE_DIR.log"',
    });
    expect(failures).toEqual([]);
    expect(log()).toBe("refused ECONNREFUSED\nlistens\n");
    expect(visits()).toBe(0);
  });

  test("ends with its command, whatever signals it ignores and groups it leaves", async () => {
    const stays =
      "trap '' TERM INT HUP; (setsid sh -c \"trap '' TERM INT HUP; touch up; while :; do sleep 0.1; done\" &) ; while :; do sleep 0.1; done";
    const { result, mark } = await attack(stays, { ready: "test -e up" });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    expect(await markedProcesses([mark])).toEqual([]);
  });

  test("sees no other agent's files, and writes only its command's", async () => {
    const other = aDirectory();
    writeFileSync(join(other, "secret"), "of another agent");
    const run = `cat ${other}/secret; touch ${other}/x; ls /proc | grep -c '^[0-9]'; exec sleep 1000`;
    const { log } = await attack(run, { ready: 'grep -qx "[0-9]*" "$FLOTILLA_SERVICE_DIR.log"' });
    expect(log()).not.toContain("of another agent");
    expect(readdirSync(other)).toEqual(["secret"]);
    // The init of the sandbox, what starts services, and the service's own.
    expect(Number(/^\d+$/m.exec(log())?.[0])).toBeLessThan(20);
  });
});

describeConfined("a setup that is out for another repository's cache", { timeout: 60_000 }, () => {
  test("reaches it by no path and no link, now or at the next setup", async () => {
    const data = aDirectory();
    const directories = agentDirectories(data);
    const [own, other] = [await directories.cache(1, ["npm"]), await directories.cache(2, ["npm"])];
    writeFileSync(join(other, "npm", "kept"), "theirs");
    const script = [
      `cat ${other}/npm/kept "$FLOTILLA_CACHE/../2/npm/kept"`,
      `echo mine > ${other}/npm/kept; echo mine > "$FLOTILLA_CACHE/../2/npm/kept"; mkdir -p "$FLOTILLA_CACHE/../3"`,
      `rm -r "$FLOTILLA_CACHE/npm"; ln -s ${other}/npm "$FLOTILLA_CACHE/npm"; echo mine > "$FLOTILLA_CACHE/npm/kept"`,
      `mv "$FLOTILLA_CACHE" "$FLOTILLA_CACHE.old"; ln "$FLOTILLA_CACHE/../2/npm/kept" "$FLOTILLA_CACHE/hard"`,
      "true",
    ].join("\n");
    const setup = async () => {
      const directory = await directories.cache(1, ["npm"]);
      return runner.run(
        { file: "/bin/sh", args: ["-c", script], cwd: "/tmp", env: { ...ENV, FLOTILLA_CACHE: directory } },
        {
          writable: [directory],
          readable: [],
          hosts: [],
          registries: false,
          mark: `cache@${data}`,
          timeoutMs: 30_000,
          signal: never,
          maxOutputBytes: 10_000,
        },
      );
    };
    for (let times = 0; times < 2; times += 1) {
      expect((await setup()).output).not.toContain("theirs");
      expect(readFileSync(join(other, "npm", "kept"), "utf8")).toBe("theirs");
    }
    expect(readdirSync(join(data, "caches"))).toEqual(["1", "2"]);
    expect(await directories.cache(1, ["npm"])).toBe(own);
    expect(readdirSync(join(own, "npm"))).toEqual([]);
    mkdirSync(join(own, "npm", "again"));
    expect(existsSync(join(other, "npm", "again"))).toBe(false);
  });
});
