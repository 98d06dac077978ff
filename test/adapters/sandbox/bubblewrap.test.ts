import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeRunner } from "../../contracts/runner.ts";
import { describeServices } from "../../contracts/runner-services.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { temporaryDirectory } from "../store/temporary.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

const REACH = { writable: [], readable: [], hosts: [], registries: false };

/** Returns our temporary directory with the filter, whatever the command begins with: a test deletes it. */
function filterDirectory(args: readonly string[]): string {
  const filter = args.find((arg) => /\/flotilla-filter-[^/]+\/seccomp\.bpf$/.test(arg));
  if (filter === undefined) throw new Error("the command names no filter");
  return dirname(filter);
}

describeConfined("bubblewrap", () => {
  test("variables reach the command and nothing outside the sandbox, where only the mark is one", async () => {
    // dash ends at once with such an OPTIND.
    const variables = { PATH: "/usr/bin:/bin", OPTIND: "abc", GREETING: "two\nlines, $HOME", EMPTY: "" };
    const command = { file: "/usr/bin/env", args: ["-0"], cwd: "/tmp" };
    const env = { ...variables, FLOTILLA_SESSION: "a@b" };
    const asked = await confinedRunner(realClock).confine({ ...command, env }, REACH);
    expect(asked.env).toEqual({ FLOTILLA_SESSION: "a@b" });
    expect(asked.args.join("\n")).not.toMatch(/OPTIND|two/);

    const ours = asked.args.filter((arg) => dirname(arg) === filterDirectory(asked.args));
    expect(ours.map((path) => existsSync(path))).toEqual([true, true]);
    const { stdout, stderr } = spawnSync(asked.file, asked.args, { env: asked.env, encoding: "utf8" });
    expect(stderr).toBe("");
    const lines = stdout.split("\0").filter((line) => line !== "" && !line.startsWith("PWD="));
    const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    expect(lines.toSorted()).toEqual(given.toSorted());
    const left = ours.filter((path) => existsSync(path));
    expect(left.map((path) => basename(path))).toEqual(["seccomp.bpf"]);
  });

  test("a command without variables starts, too", async () => {
    const command = { file: "/usr/bin/env", args: ["-u", "PWD"], cwd: "/tmp", env: {} };
    const asked = await confinedRunner(realClock).confine(command, REACH);
    const { stdout, status } = spawnSync(asked.file, asked.args, { env: asked.env, encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
  });

  test.each([
    ["value", { GREETING: "hello\0--ro-bind\0/etc\0/stolen" }],
    ["name", { "GREETING\0hello\0--ro-bind\0/etc\0/stolen\0--setenv\0MORE": "" }],
  ])("a NUL in a variable's %s makes no argument of bwrap: the command is refused", async (_, env) => {
    const command = { file: "/bin/ls", args: ["/stolen"], cwd: "/tmp", env };
    await expect(confinedRunner(realClock).confine(command, REACH)).rejects.toThrow(
      "contains a NUL character",
    );
  });

  test("a temporary directory that takes no file is no failure of the agent: the command is tried again", async () => {
    const command = { file: "/bin/true", args: [], cwd: "/tmp", env: {} };
    const runner = confinedRunner(realClock);
    const { args } = await runner.confine(command, REACH);
    rmSync(filterDirectory(args), { recursive: true });
    vi.stubEnv("TMPDIR", "/proc/full");
    onTestFinished(() => void vi.unstubAllEnvs());
    const refusal = { code: "command_not_started", consequence: "retry" };
    await expect(runner.confine(command, REACH)).rejects.toMatchObject(refusal);
    vi.unstubAllEnvs();
    expect((await runner.confine(command, REACH)).file).toBe("/bin/sh");
  });

  test("what is confined ends before Flotilla where the machine is out of memory, also without control groups", async () => {
    const command = { file: "/bin/cat", args: ["/proc/self/oom_score_adj"], cwd: "/tmp", env: {} };
    const asked = await confinedRunner(realClock).confine(command, REACH);
    const { stdout } = spawnSync(asked.file, asked.args, { env: asked.env, encoding: "utf8" });
    expect(stdout).toBe("1000\n");
  });

  test("a file of the host is shown at another path, and cannot be changed there", async () => {
    const path = join(temporaryDirectory(), "rules");
    writeFileSync(path, "as they are");
    const script = "cat /etc/agent/rules; echo other > /etc/agent/rules || echo kept";
    const command = { file: "/bin/sh", args: ["-c", script], cwd: "/tmp", env: {} };
    const shownAt = [{ path, seenAt: "/etc/agent/rules" }];
    const asked = await confinedRunner(realClock).confine(command, { ...REACH, shownAt });
    const { stdout } = spawnSync(asked.file, asked.args, { env: asked.env, encoding: "utf8" });
    expect(stdout).toBe("as they arekept\n");
    expect(readFileSync(path, "utf8")).toBe("as they are");
  });

  describeRunner("bubblewrap", confinedRunner);
  describeServices("bubblewrap", confinedRunner);
});
