import { readFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEgress, type Egress } from "../../../src/adapters/sandbox/egress/egress.ts";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import type { Runner } from "../../../src/domain/ports/runner.ts";
import { proved } from "../../proved.ts";
import { realClock } from "../runtimes/real-harness.ts";
import type { Attempt } from "./attempts/attempt.ts";
import { ESCAPES } from "./attempts/escapes.ts";
import { FILES } from "./attempts/files.ts";
import { NETWORK } from "./attempts/network.ts";
import { PRELUDE } from "./attempts/prelude.ts";
import { PROCESSES } from "./attempts/processes.ts";
import { ALLOWED_TUNNEL, PROXY } from "./attempts/proxy.ts";
import { makeWorld, type World } from "./attempts/world.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

const ATTEMPTS: readonly Attempt[] = [...FILES, ...PROCESSES, ...NETWORK, ...ESCAPES, ...PROXY];

/** What must go well in a sandbox: else a blocked attempt could be a broken sandbox. */
const WORK: readonly string[] = [
  "echo x > $OWN/made && mkdir -p $OWN/a/b && rm $OWN/made",
  "echo x > $HOME/made",
  "cat $MIRROR/refs/heads/main && cat $MIRROR/worktrees/own/HEAD",
  "own=$(mktemp) && echo x > $own",
  "perl -e 'print 1' && git --version && /bin/sh -c true && ls /usr/bin/env",
  ALLOWED_TUNNEL,
];

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "registry.example.org": ["93.184.215.14"],
  "private.example.org": ["192.168.1.1"],
};

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** The right that stands for all others, by its number. */
const SYS_ADMIN = 21;

/** True for root with every right: what the kernel keeps from others can be shown to succeed. */
const isAlmighty = process.getuid?.() === 0 && hasCapability(SYS_ADMIN);

function hasCapability(number: number): boolean {
  const mask = /^CapEff:\s+([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return ((BigInt(`0x${mask ?? "0"}`) >> BigInt(number)) & 1n) === 1n;
}

describeConfined("from inside the sandbox", () => {
  let world: World;
  let egress: Egress;
  let upstream: Server;
  beforeAll(async () => {
    world = await makeWorld();
    upstream = createServer((client) => client.end("hello"));
    await new Promise<void>((resolve) => {
      upstream.listen(0, "127.0.0.1", resolve);
    });
    const address = upstream.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    egress = createEgress(SILENT, {
      outside: {
        addresses: (name) => Promise.resolve(ADDRESSES[name] ?? []),
        connect: () => connect(port, "127.0.0.1"),
      },
    });
  });
  afterAll(async () => {
    await egress.close();
    upstream.close();
    world.remove();
  });

  /** The lines that ended with 0, each run by itself, by their number. */
  async function thatSucceed(runner: Runner, lines: readonly string[]): Promise<readonly number[]> {
    const tried = lines.map((line, at) => `( ${line} ) >/dev/null 2>&1 </dev/null && echo "did ${at}"`);
    const result = await runner.run(
      {
        file: "/bin/sh",
        args: ["-c", [PRELUDE, ...tried, "echo all tried"].join("\n")],
        cwd: world.own,
        env: { ...world.env, HOME: `${world.session}/home` },
      },
      {
        writable: [world.own, world.session],
        readable: [],
        hosts: Object.keys(ADDRESSES),
        registries: false,
        mark: `attempts@${world.session}`,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        maxOutputBytes: 50_000,
      },
    );
    expect(result.output).toContain("all tried\n");
    return [...result.output.matchAll(/^did (\d+)$/gm)].map(([, at]) => Number(at));
  }

  const confined = () => confinedRunner(realClock, { egress, gitOf: () => world.git, hidden: world.hidden });

  test("an agent can do its work", async () => {
    expect(await thatSucceed(confined(), WORK)).toEqual([...WORK.keys()]);
  });

  test("no attempt at the host, its network, its processes or other agents succeeds, and those that can do outside", async () => {
    const succeeded = await thatSucceed(
      confined(),
      ATTEMPTS.map(({ line }) => line),
    );
    expect(succeeded.map((at) => ATTEMPTS[at]?.what)).toEqual([]);
    const meant = ATTEMPTS.filter(
      ({ outside }) => outside === "succeeds" || (isAlmighty && outside === "as root"),
    );
    const outside = await thatSucceed(
      createUnconfinedRunner(realClock),
      meant.map(({ line }) => line),
    );
    const failed = meant.filter((_, at) => !outside.includes(at));
    expect(failed.map(({ what }) => what)).toEqual([]);
    proved({
      promise: "Nothing inside the sandbox reaches the host, its network, its processes or other agents.",
      test: "test/adapters/sandbox/attempts.test.ts",
      figure: `${ATTEMPTS.length - succeeded.length} of ${ATTEMPTS.length} attempts blocked, ${outside.length} of them seen to succeed outside`,
    });
  }, 180_000);
});
