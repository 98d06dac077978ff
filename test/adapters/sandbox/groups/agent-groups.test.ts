import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type AgentGroups, createAgentGroups } from "../../../../src/adapters/sandbox/groups/agent-groups.ts";
import type { GroupFiles } from "../../../../src/adapters/sandbox/groups/group-files.ts";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import { mcpMark, PROCESS_MARK } from "../../../../src/domain/breakers/process-mark.ts";
import { systemClock } from "../../../../src/server/system-clock.ts";
import { confinedRunner, describeConfined } from "../bubblewrap-here.ts";
import { aGroupTree, type GroupTree } from "./group-tree.ts";

const MIB = 1024 ** 2;
const OVER = /used more memory than their limit of 512 MiB: raise `sandbox\.memory_gib`/;
const silent = (): void => {};
const KILLED = "oom 1\noom_kill 2\n";

interface Rig extends GroupTree {
  readonly groups: AgentGroups;
  readonly dataDir: string;
  readonly warned: readonly string[];
  readonly sessionOf: (agentId: number) => string;
  /** The file of an agent's group, of which there must be one. */
  readonly fileOf: (agentId: number, name: string) => string;
  /** The agents that have a group. */
  readonly agents: () => readonly number[];
}

interface Given {
  readonly memoryBytes?: number | null;
  readonly tree?: GroupTree;
  readonly files?: GroupFiles;
}

async function aRig({
  memoryBytes = 512 * MIB,
  tree = aGroupTree(),
  files = tree.files,
}: Given = {}): Promise<Rig> {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-data-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const warned: string[] = [];
  const log = {
    debug: silent,
    info: silent,
    warn: (_: object, text: string) => void warned.push(text),
    error: silent,
  };
  const groups = await createAgentGroups({
    files,
    base: tree.service,
    dataDir,
    memoryBytes,
    processes: 2048,
    log,
  });
  const names = () => tree.children(tree.service).filter((name) => name.startsWith("agent-"));
  const sessionOf = (agentId: number): string => {
    const path = join(dataDir, "sessions", String(agentId));
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    ...tree,
    groups,
    dataDir,
    warned,
    sessionOf,
    fileOf: (id, name) => join(tree.service, names().find((one) => one.endsWith(`-${id}`)) ?? "", name),
    agents: () => names().map((name) => Number(name.split("-").at(-1))),
  };
}

const aCommand = (file: string, ...args: readonly string[]) => ({
  file,
  args,
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
});

const REACH = { writable: [], readable: [], hosts: [], registries: false };

test("gives an agent one group, with its limits, for its runtime, its evaluator, its commands and MCP servers", async () => {
  const { groups, dataDir, fileOf, agents, read } = await aRig();
  for (const mark of [
    `s@${dataDir}/sessions/7`,
    `s-evaluation@${dataDir}/evaluations/7`,
    `commands-7@${dataDir}/sessions/7`,
    mcpMark(7, "desk-1"),
  ])
    expect(groups.enter(aCommand("/bin/true"), mark).command).toMatchObject({
      file: "/bin/sh",
      args: expect.arrayContaining([fileOf(7, "cgroup.procs"), "/bin/true"]),
      env: { PATH: "/usr/bin:/bin" },
    });
  expect(agents()).toEqual([7]);
  const limits = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
  expect(limits.map((name) => read(fileOf(7, name)))).toEqual([String(512 * MIB), "0", "1", "2048"]);
});

test("limits the processes alone where no memory is promised", async () => {
  const { groups, fileOf, read } = await aRig({ memoryBytes: null });
  groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  const limits = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
  expect(limits.map((name) => read(fileOf(7, name)))).toEqual(["max", "max", "1", "2048"]);
});

test("does without the limit of swap where the kernel has none", async () => {
  const { groups, fileOf, files, read } = await aRig({ tree: aGroupTree(["memory.swap.max"]) });
  groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  expect(files.exists(fileOf(7, "memory.swap.max"))).toBe(false);
  expect(read(fileOf(7, "memory.max"))).toBe(String(512 * MIB));
});

test("leaves a command that belongs to no agent as it is", async () => {
  const { groups, agents } = await aRig();
  const command = aCommand("/bin/true");
  const stay = groups.enter(command, "doctor-1@/somewhere/sessions/7");
  expect(stay.command).toBe(command);
  await stay.end();
  expect(agents()).toEqual([]);
});

test("begins the command inside, and not at all where the group is gone", async () => {
  const { groups, fileOf, read, files } = await aRig();
  const ran = async () => {
    const { command } = groups.enter(aCommand("/bin/echo", "$0 two words"), mcpMark(7, "desk"));
    const child = spawn(command.file, command.args, {
      env: command.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [[code], out] = await Promise.all([once(child, "exit"), textOf(child.stdout)]);
    return { code, out };
  };
  expect(await ran()).toEqual({ code: 0, out: "$0 two words\n" });
  // The shell itself was moved: 0 is whoever writes.
  expect(read(fileOf(7, "cgroup.procs"))).toBe("0\n");
  const { command } = groups.enter(aCommand("/bin/echo", "late"), mcpMark(7, "desk"));
  files.write(fileOf(7, "cgroup.kill"), "1");
  files.remove(join(fileOf(7, "cgroup.kill"), ".."));
  const late = spawn(command.file, command.args, { env: command.env, stdio: ["ignore", "pipe", "ignore"] });
  const [[code], out] = await Promise.all([once(late, "exit"), textOf(late.stdout)]);
  expect({ isDone: code === 0, out }).toEqual({ isDone: false, out: "" });
});

test("what runs for an agent is ended before Flotilla where the machine is out of memory", async () => {
  const { groups } = await aRig();
  const { command } = groups.enter(aCommand("/bin/cat", "/proc/self/oom_score_adj"), mcpMark(7, "desk"));
  const child = spawn(command.file, command.args, { stdio: ["ignore", "pipe", "ignore"] });
  expect(await textOf(child.stdout)).toBe("1000\n");
});

test("keeps a group as long as one of its commands runs, then ends what is left and removes it", async () => {
  const { groups, fileOf, agents, read, put } = await aRig();
  const [runtime, desk] = [mcpMark(7, "runtime"), mcpMark(7, "desk")];
  groups.enter(aCommand("/bin/true"), runtime);
  groups.enter(aCommand("/bin/true"), desk);
  const command = groups.enter(aCommand("/bin/true"), desk);
  groups.enter(aCommand("/bin/true"), mcpMark(8, "other"));
  put(fileOf(7, "cgroup.procs"), "99\n");
  await command.end();
  await groups.leave([desk, "unknown"]);
  expect(read(fileOf(7, "cgroup.procs"))).toBe("99\n");
  await groups.leave([runtime]);
  expect(agents()).toEqual([8]);
});

test("what enters while a group is being removed keeps the group", async () => {
  const tree = aGroupTree();
  const begun = Promise.withResolvers<void>();
  const files: GroupFiles = {
    ...tree.files,
    // What the kernel has killed takes a moment to be gone.
    write(path, text) {
      if (path.endsWith("cgroup.kill")) return begun.resolve();
      tree.files.write(path, text);
    },
  };
  const { groups, fileOf, agents, put } = await aRig({ tree, files });
  groups.enter(aCommand("/bin/true"), mcpMark(7, "first"));
  put(fileOf(7, "cgroup.procs"), "99\n");
  const left = groups.leave([mcpMark(7, "first")]);
  await begun.promise;
  groups.enter(aCommand("/bin/true"), mcpMark(7, "second"));
  // The first is dead, and the second has not moved in yet.
  put(fileOf(7, "cgroup.procs"), "");
  await left;
  expect(agents()).toEqual([7]);
});

test("a group that is not made is not used without its limits, and the next start tries again", async () => {
  const tree = aGroupTree();
  let isFull = true;
  const files: GroupFiles = {
    ...tree.files,
    write(path, text) {
      if (isFull && path.endsWith("pids.max")) throw new Error("EIO: write");
      tree.files.write(path, text);
    },
  };
  const { groups, agents } = await aRig({ tree, files });
  const enter = () => groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  expect(enter).toThrow(
    expect.objectContaining({
      code: "command_not_started",
      consequence: "retry",
      message: expect.stringContaining("EIO"),
    }),
  );
  expect(agents()).toEqual([]);
  isFull = false;
  enter();
  expect(agents()).toEqual([7]);
});

test("groups that an agent has made within its own go with it, with what runs there", async () => {
  const { groups, fileOf, files, agents, put, warned } = await aRig();
  groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  const within = fileOf(7, "engine");
  for (const path of [within, join(within, "container")]) files.make(path);
  put(join(within, "container", "cgroup.procs"), "99\n");
  // The kernel kills what is in a group and in those within.
  const write = files.write.bind(files);
  files.write = (path, text) => {
    if (path === fileOf(7, "cgroup.kill")) put(join(within, "container", "cgroup.procs"), "");
    write(path, text);
  };
  await groups.leave([mcpMark(7, "desk")]);
  expect({ agents: agents(), warned }).toEqual({ agents: [], warned: [] });
});

test("a group that an earlier process left, and that stays, has the limits of this one when it is used", async () => {
  const tree = aGroupTree();
  const { dataDir, fileOf, read, put, groups } = await aRig({ tree });
  groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  put(fileOf(7, "cgroup.procs"), "99\n");
  // What hangs in the kernel outlives a kill.
  const files: GroupFiles = {
    ...tree.files,
    write: (path, text) => (path.endsWith("cgroup.kill") ? undefined : tree.files.write(path, text)),
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const given = { files, base: tree.service, dataDir, memoryBytes: 256 * MIB, processes: 99, log };
  const next = await createAgentGroups(given);
  next.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  expect(["memory.max", "pids.max"].map((name) => read(fileOf(7, name)))).toEqual([String(256 * MIB), "99"]);
});

test("removes what a killed process left for this data directory, and nothing of another one", async () => {
  const tree = aGroupTree();
  const first = await aRig({ tree });
  const other = await aRig({ tree });
  for (const { groups } of [first, other]) groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
  const [left = "", kept = ""] = tree.children(tree.service);
  for (const name of [left, kept]) tree.put(join(tree.service, name, "cgroup.procs"), "99\n");
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const mine = tree.files.exists(first.fileOf(7, "memory.max")) ? first : other;
  await createAgentGroups({
    files: tree.files,
    base: tree.service,
    dataDir: mine.dataDir,
    memoryBytes: 1,
    processes: 1,
    log,
  });
  expect(tree.children(tree.service)).toHaveLength(1);
});

test("tells the memory end of a command since it began, and of no other agent", async () => {
  const { groups, fileOf, put } = await aRig();
  groups.enter(aCommand("/bin/true"), mcpMark(7, "first"));
  groups.enter(aCommand("/bin/true"), mcpMark(8, "other"));
  expect(groups.memoryEnd(mcpMark(7, "first"))).toBeNull();
  put(fileOf(7, "memory.events"), KILLED);
  const later = groups.enter(aCommand("/bin/true"), mcpMark(7, "later"));
  expect(groups.memoryEnd(mcpMark(7, "first"))).toMatch(OVER);
  expect(later.memoryEnd()).toBeNull();
  expect(groups.memoryEnd(mcpMark(8, "other"))).toBeNull();
  await groups.leave([mcpMark(7, "first")]);
  expect(groups.memoryEnd(mcpMark(7, "first"))).toBeNull();
});

for (const [name, describe, makeRunner] of [
  [
    "none",
    (_: string, tests: () => void) => tests(),
    (groups: AgentGroups) => createUnconfinedRunner(systemClock, groups),
  ],
  ["bubblewrap", describeConfined, (groups: AgentGroups) => confinedRunner(systemClock, { groups })],
] as const)
  describe(`in groups by ${name}`, () => {
    test(`${name}: a command runs in the group, which goes with it, and says why the kernel ended it`, async () => {
      const { groups, sessionOf, fileOf, agents, read, put } = await aRig();
      const cwd = sessionOf(7);
      const options = {
        ...REACH,
        writable: [cwd],
        mark: `commands-7@${cwd}`,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        maxOutputBytes: 4000,
      };
      let events: string | undefined;
      const runner = makeRunner({
        ...groups,
        enter(command, mark) {
          const stay = groups.enter(command, mark);
          if (events !== undefined) put(fileOf(7, "memory.events"), events);
          return stay;
        },
      });
      const run = (script: string) => runner.run({ ...aCommand("/bin/sh", "-c", script), cwd }, options);
      expect(await run("echo done")).toMatchObject({ exitCode: 0, output: "done\n" });
      expect(agents()).toEqual([]);
      const kept = groups.enter(aCommand("/bin/true"), mcpMark(7, "desk"));
      events = KILLED;
      const failed = await run("echo half; exit 3");
      expect(failed).toMatchObject({ exitCode: 3 });
      expect(failed.output).toMatch(/^half\n\n\[The system ended it: its processes together/);
      expect(read(fileOf(7, "cgroup.procs"))).toBe("0\n");
      expect(await run("echo more; exit 3")).toMatchObject({ output: "more\n" });
      events = "oom 2\noom_kill 9\n";
      expect(await run("echo fine")).toMatchObject({ output: "fine\n" });
      await kept.end();
      expect(agents()).toEqual([]);
    });

    test(`${name}: a confined command begins in the group, and the end of its mark is its end`, async () => {
      const { groups, sessionOf, fileOf, agents, put } = await aRig();
      const cwd = sessionOf(7);
      const mark = `s@${cwd}`;
      const runner = makeRunner(groups);
      const asked = aCommand("/bin/sleep", "1000");
      const { file, args } = await runner.confine(
        { ...asked, cwd, env: { ...asked.env, [PROCESS_MARK]: mark } },
        { ...REACH, writable: [cwd] },
      );
      expect({ file, procs: args[2] }).toEqual({ file: "/bin/sh", procs: fileOf(7, "cgroup.procs") });
      expect(runner.memoryEnd(mark)).toBeNull();
      put(fileOf(7, "memory.events"), KILLED);
      expect(runner.memoryEnd(mark)).toMatch(OVER);
      await runner.killMarked([mark]);
      expect(agents()).toEqual([]);
    });
  });
