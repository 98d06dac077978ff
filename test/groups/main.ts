/**
 * Shows on real control groups what limits an agent: `node test/groups/main.ts`, as root or in a group of its own that
 * systemd delegates. It takes the groups as `flotilla serve` does, runs commands of two agents by the configured
 * sandbox, and prints how each ended.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as nextLook } from "node:timers/promises";
import { findBubblewrap } from "../../src/adapters/sandbox/find-bubblewrap.ts";
import { type AgentGroups, createAgentGroups } from "../../src/adapters/sandbox/groups/agent-groups.ts";
import { groupFiles } from "../../src/adapters/sandbox/groups/group-files.ts";
import { claimGroup } from "../../src/adapters/sandbox/groups/own-group.ts";
import { PROCESSES } from "../../src/adapters/sandbox/limits.ts";
import { createUnconfinedRunner } from "../../src/adapters/sandbox/none.ts";
import { offlineRunner } from "../../src/cli/runtimes/trial-runner.ts";
import { PROCESS_MARK } from "../../src/domain/breakers/process-mark.ts";
import { systemClock } from "../../src/server/system-clock.ts";

const MIB = 1024 * 1024;
const silent = (): void => {};
const log = {
  debug: silent,
  info: silent,
  warn: (fields: object, text: string) => show(text, fields),
  error: silent,
};
const show = (what: string, seen: unknown): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);

const standing = claimGroup(groupFiles, { proc: "/proc/self", pid: process.pid });
show("standing", standing);
if (standing.kind !== "ready") process.exit(1);
const { base } = standing;
const ownGroup = (): string => readFileSync("/proc/self/cgroup", "utf8").trim();
show("Flotilla's own group", ownGroup());

const dataDir = mkdtempSync(join(tmpdir(), "flotilla-groups-"));
const sessionOf = (agentId: number): string => join(dataDir, "sessions", String(agentId));
for (const id of [1, 2]) mkdirSync(sessionOf(id), { recursive: true });
const groupsWith = (memoryBytes: number | null) =>
  createAgentGroups({ files: groupFiles, base, dataDir, memoryBytes, processes: PROCESSES, log });
const groups = await groupsWith(128 * MIB);
const bwrap = findBubblewrap(process.env["PATH"] ?? "");
const runnerIn = (its: AgentGroups) =>
  bwrap !== null && process.argv[2] !== "none"
    ? offlineRunner(bwrap, its)
    : createUnconfinedRunner(systemClock, its);
const runner = runnerIn(groups);
show("runner", runner.description);

const groupOf = (agentId: number): string =>
  join(
    base,
    readdirSync(base).find((name) => name.endsWith(`-${agentId}`) && name.startsWith("agent-")) ?? "none",
  );
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

async function run(
  agentId: number,
  script: string,
  { by = runner, until = new AbortController().signal } = {},
): Promise<void> {
  const cwd = sessionOf(agentId);
  const { exitCode, signal, output } = await by.run(
    { file: "/bin/sh", args: ["-c", script], cwd, env: { PATH } },
    {
      mark: `commands-${agentId}@${cwd}`,
      writable: [cwd],
      readable: [],
      hosts: [],
      registries: false,
      timeoutMs: 600_000,
      signal: until,
      maxOutputBytes: 4000,
    },
  );
  show(`agent ${agentId}: ${script.slice(0, 60)}`, { exitCode, signal, output: output.slice(-400) });
}

const ALLOCATE = "head -c 400m /dev/zero | tail -c 300m | wc -c";

// As a runtime: it runs beside the commands of its agent until the kernel ends it.
const cwd = sessionOf(1);
const mark = `session-1@${cwd}`;
const runtime = await runner.confine(
  { file: "/bin/sleep", args: ["1000"], cwd, env: { PATH, [PROCESS_MARK]: mark } },
  { writable: [cwd], readable: [], hosts: [], registries: false },
);
const child = spawn(runtime.file, runtime.args, {
  cwd: runtime.cwd,
  env: runtime.env,
  detached: true,
  stdio: "ignore",
});
const ended = once(child, "exit");
await run(1, "echo small");
const limits = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
show(
  "limits of agent 1",
  limits.map((name) => {
    const file = join(groupOf(1), name);
    return [name, existsSync(file) ? readFileSync(file, "utf8").trim() : "not there"];
  }),
);
show(
  "processes in its group",
  readFileSync(join(groupOf(1), "cgroup.procs"), "utf8")
    .trim()
    .split("\n").length,
);
show("why agent 1 ended so far", runner.memoryEnd(mark));
await run(2, "echo another; sleep 1");
await run(1, ALLOCATE);
show("the runtime beside it", await ended);
show("why", runner.memoryEnd(mark));
show(
  "memory.events",
  readFileSync(join(groupOf(1), "memory.events"), "utf8")
    .trim()
    .split("\n"),
);
await runner.killMarked([mark]);
show("group of agent 1 after its end", existsSync(groupOf(1)));
await run(1, "echo again");

// More processes than an agent may have: it is stopped once the kernel has refused one.
const stopped = new AbortController();
const over = new AbortController();
const many = run(2, "while :; do sleep 60 > /dev/null 2>&1 & done", {
  by: runnerIn(await groupsWith(null)),
  until: stopped.signal,
}).finally(() => over.abort());
const refused = (): boolean => /^max [1-9]/m.test(textOf(join(groupOf(2), "pids.events")));
while (!over.signal.aborted && !refused()) await nextLook(200);
show("processes of agent 2 at most", textOf(join(groupOf(2), "pids.current")).trim());
stopped.abort();
await many;
show(
  "groups left",
  readdirSync(base).filter((name) => name.startsWith("agent-")),
);

// What a process left that was killed: the next one removes it.
const leftover = await createUnconfinedRunner(systemClock, groups).confine(
  { file: "/bin/sleep", args: ["1000"], cwd, env: { PATH, [PROCESS_MARK]: mark } },
  { writable: [cwd], readable: [], hosts: [], registries: false },
);
const left = spawn(leftover.file, leftover.args, { cwd: "/", env: {}, detached: true, stdio: "ignore" });
const leftEnded = once(left, "exit");
await new Promise((resolve) => void left.once("spawn", resolve));
while (readFileSync(join(groupOf(1), "cgroup.procs"), "utf8") === "");
await groupsWith(128 * MIB);
show("a leftover process", await leftEnded);
show(
  "groups left",
  readdirSync(base).filter((name) => name.startsWith("agent-")),
);
rmSync(dataDir, { recursive: true });
