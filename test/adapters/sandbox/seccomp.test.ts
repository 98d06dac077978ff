import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  CLONE,
  CLONE3,
  REFUSED_CALLS,
  SOCKET,
  UNSHARE,
} from "../../../src/adapters/sandbox/seccomp/refused-calls.ts";
import { seccompFilter } from "../../../src/adapters/sandbox/seccomp/seccomp-filter.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";
import { runFilter } from "./run-filter.ts";
import { shippedProfile } from "./seccomp-filter.ts";

const numbersOf = (arch: string) =>
  z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(`test/fixtures/seccomp/${arch}.json`, "utf8")));

/** What bubblewrap makes its sandbox with: the container has to allow it, the sandbox does not. */
const FOR_BUBBLEWRAP = ["mount", "pivot_root", "setns", "umount2"];

const ALLOWED = 0x7fff_0000;
const KILLED = 0x8000_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;
const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const NEWUSER = 0x1000_0000;
const THREAD = 0x3d_0f00;

const ask = (arch: "x64" | "arm64", architecture: number, number: number) =>
  runFilter(seccompFilter(arch), { architecture, number, argument: 0 });

function inside(script: string): Promise<string> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), "flotilla-seccomp-")));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  writeFileSync(join(work, "main.c"), '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n');
  writeFileSync(join(work, "package.json"), '{"name":"x","version":"1.0.0","scripts":{"t":"echo npm ran"}}');
  return confinedRunner(realClock)
    .run(
      {
        file: "/bin/sh",
        args: ["-c", script],
        cwd: work,
        env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: work },
      },
      {
        writable: [work],
        readable: [],
        hosts: [],
        registries: false,
        mark: `seccomp@${work}`,
        timeoutMs: 120_000,
        signal: new AbortController().signal,
        maxOutputBytes: 20_000,
      },
    )
    .then(({ output }) => output);
}
const errnoOf = (calls: readonly string[]) =>
  calls.map((call) => `$! = 0; syscall(${call}); print $! + 0, "\\n";`).join(" ");

describe("the filter of system calls", () => {
  test.each(["x64", "arm64"] as const)("names the calls of %s by the kernel's numbers", (arch) => {
    const numbers = numbersOf(arch);
    const column = arch === "x64" ? 0 : 1;
    const named = { ...REFUSED_CALLS, clone: CLONE, clone3: CLONE3, unshare: UNSHARE, socket: SOCKET };
    const wrong = Object.entries(named).filter(
      // Added to Linux after the fixtures.
      ([name, each]) => name !== "open_tree_attr" && each[column] !== (numbers[name] ?? null),
    );
    expect(wrong).toEqual([]);
  });

  test.each(["x64", "arm64"] as const)("refuses on %s what it names and nothing else", (arch) => {
    const filter = seccompFilter(arch);
    const numbers = numbersOf(arch);
    const at = (name: string, argument = 0) =>
      runFilter(filter, { architecture: AUDIT[arch], number: numbers[name] ?? -1, argument });
    const refused = Object.keys(numbers).filter((name) => at(name) !== ALLOWED);
    expect(refused.toSorted()).toEqual(
      [...Object.keys(REFUSED_CALLS), "clone3"].filter((name) => name in numbers).toSorted(),
    );
    expect([at("ptrace"), at("clone3")]).toEqual([EPERM, ENOSYS]);
    expect([at("clone", THREAD), at("clone", THREAD | NEWUSER), at("clone", 0x80)]).toEqual([
      ALLOWED,
      EPERM,
      ALLOWED,
    ]);
    expect([at("unshare", 0x200), at("unshare", NEWUSER), at("unshare", 0x80)]).toEqual([
      ALLOWED,
      EPERM,
      EPERM,
    ]);
    expect([at("socket", 2), at("socket", 37), at("socket", 38), at("socket", 40)]).toEqual([
      ALLOWED,
      ALLOWED,
      EAFNOSUPPORT,
      EAFNOSUPPORT,
    ]);
  });

  test("kills what speaks to the kernel as another architecture, and refuses x32", () => {
    const i386 = 0x4000_0003;
    expect([ask("x64", i386, 20), ask("x64", AUDIT.arm64, 172), ask("arm64", AUDIT.x64, 39)]).toEqual([
      KILLED,
      KILLED,
      KILLED,
    ]);
    expect(ask("x64", AUDIT.x64, 0x4000_0000 + 39)).toBe(EPERM);
    expect(ask("x64", AUDIT.x64, 39)).toBe(ALLOWED);
  });

  test("refuses what the container's profile refuses, and beyond that only what bubblewrap needs", () => {
    const { syscalls } = shippedProfile();
    const refused = syscalls
      .filter(({ action }) => action === "SCMP_ACT_ERRNO")
      .flatMap(({ names }) => names);
    const ours = Object.keys(REFUSED_CALLS).filter((name) => !FOR_BUBBLEWRAP.includes(name));
    expect(refused.toSorted()).toEqual(ours.toSorted());
    const allowed = syscalls
      .filter(({ action }) => action === "SCMP_ACT_ALLOW")
      .flatMap(({ names }) => names);
    expect(allowed.filter((name) => refused.includes(name))).toEqual([]);
  });
});

const describeHere = process.arch === "x64" ? describeConfined : describe.skip;

describeHere("in the sandbox, under the filter", () => {
  test("no process attaches to another, whichever way it asks", async () => {
    const calls = [
      // PTRACE_TRACEME, PTRACE_SEIZE and PTRACE_ATTACH of the first process.
      "101, 0, 0, 0, 0",
      "101, 0x4206, 1, 0, 0",
      "101, 16, 1, 0, 0",
      // process_vm_readv, process_vm_writev, kcmp, process_madvise
      "310, 1, 0, 0, 0, 0, 0",
      "311, 1, 0, 0, 0, 0, 0",
      "312, 1, $$, 0, 0, 0",
      "440, 1, 0, 0, 0, 0",
      // pidfd_getfd, perf_event_open, bpf, userfaultfd
      "438, syscall(434, 1, 0), 1, 0",
      "298, 0, 0, 0, 0, 0",
      "321, 0, 0, 0",
      "323, 0",
      // keyctl, add_key, io_uring_setup, init_module, kexec_load, mount, setns
      "250, 0, 0, 0, 0, 0",
      "248, 0, 0, 0, 0, 0",
      "425, 0, 0",
      "175, 0, 0, 0",
      "246, 0, 0, 0, 0",
      "165, 0, 0, 0, 0, 0",
      "308, 0, 0",
      // unshare and clone with CLONE_NEWUSER
      "272, 0x10000000",
      "56, 0x10000011, 0, 0, 0, 0",
    ];
    const said = await inside(`perl -e '${errnoOf(calls)}'`);
    expect(said.trim().split("\n")).toEqual(calls.map(() => "1"));
    expect(await inside(`perl -e '${errnoOf(["435, 0, 0", "41, 38, 5, 0", "41, 40, 1, 0"])}'`)).toBe(
      "38\n97\n97\n",
    );
    // Memory of another process by its file: /proc is read-only.
    expect(await inside(`sleep 5 & perl -e 'open(F, "+<", "/proc/1/mem") or print $! + 0'`)).toBe("30");
  });

  test("the filter's own file is out of reach", async () => {
    expect(await inside('ls -l /proc/self/fd /proc/1/fd | grep -c "seccomp.bpf"')).toBe("0\n");
  });

  test("nothing of the shell that brings the filter stays in the environment", async () => {
    expect(await inside("env -u PWD -u PATH -u HOME -u FLOTILLA_SESSION /usr/bin/env | cut -d= -f1")).toBe(
      "",
    );
  });

  test("node with threads, git, npm, python and compilers work", async () => {
    const said = await inside(
      [
        'node -e \'new (require("node:worker_threads").Worker)("console.log(`thread`)", { eval: true })\'',
        "git init -q . && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x && git log --format=%s",
        "npm run -s t",
        "command -v gcc >/dev/null && gcc -O1 main.c -o main && ./main || echo built",
        'command -v /usr/bin/python3 >/dev/null && /usr/bin/python3 -c \'import subprocess, threading; t = threading.Thread(target=print, args=("python",)); t.start(); t.join(); subprocess.run(["true"], check=True)\' || echo python',
      ].join("\n"),
    );
    expect(said.split("\n").filter((line) => line !== "" && !line.startsWith("npm warn"))).toEqual([
      "thread",
      "x",
      "npm ran",
      "built",
      "python",
    ]);
  }, 60_000);
});
