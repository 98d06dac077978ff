import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostOf, isLoopback } from "./loopback-only.ts";

const ROOT = join(import.meta.dirname, "..");

/** Runs the given file of test/fixtures/harness under the project's own configuration. */
async function run(file: string): Promise<{ code: number; output: string; last: string }> {
  const cli = join(ROOT, "node_modules/vitest/vitest.mjs");
  const path = `test/fixtures/harness/${file}`;
  const args = [cli, "run", path, "--config", "test/fixtures/harness/vitest.config.ts"];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT, env: environment() }, (_, stdout, stderr) => {
      const last = stdout.trimEnd().split("\n").at(-1) ?? "";
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr, last });
    });
  });
}

/** Without what the outer run sets for its own workers. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
}

describe("a test run", () => {
  it("ends with the plain line, fails when a test does, and lets no test leave the machine", async () => {
    const { code, output, last } = await run("mixed.ts");
    expect(last).toBe("1 passed, 2 failed, 1 skipped");
    expect(output).toContain("The test tried to reach 192.0.2.1. Tests stay on this machine.");
    expect(code).toBe(1);
  });

  it("fails when two tests of a file have the same name", async () => {
    const { code, output, last } = await run("twice.ts");
    expect(output).toContain("Two tests of this file are called: says the same");
    expect(last).toBe("0 passed, 2 failed, 0 skipped");
    expect(code).toBe(1);
  });

  it("counts a file that cannot be loaded as failed", async () => {
    const { code, last } = await run("unloadable.ts");
    expect(last).toBe("0 passed, 1 failed, 0 skipped");
    expect(code).toBe(1);
  });
});

describe("where a connection leads", () => {
  it.each([
    [[{ host: "example.com", port: 443 }], "example.com"],
    [[[{ host: "example.com", port: 443 }, null]], "example.com"],
    [[443, "example.com"], "example.com"],
    [["443", "example.com"], "example.com"],
    [[443], "localhost"],
    [[{ port: 443 }], "localhost"],
    [[{ path: "/run/a.sock" }], null],
    [["/run/a.sock"], null],
  ])("of %j is %s", (args, host) => {
    expect(hostOf(args)).toBe(host);
  });

  it.each([
    ["localhost", true],
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["127.0.0.1.example.com", false],
    ["localhost.example.com", false],
    ["192.168.0.1", false],
    ["0.0.0.0", false],
    ["::2", false],
  ])("is on this machine for %s: %s", (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
  });
});
