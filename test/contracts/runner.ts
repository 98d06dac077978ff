import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Runner } from "../../src/core/ports/runner.ts";

/** What every way of confinement must keep. */
export function describeRunner(name: string, makeRunner: () => Runner): void {
  describe(`runner contract: ${name}`, () => {
    test("runs a command to its good end", async () => {
      expect((await run(makeRunner(), "/bin/sh", ["-c", "true"])).code).toBe(0);
    });

    test("passes the exit code", async () => {
      expect((await run(makeRunner(), "/bin/sh", ["-c", "exit 7"])).code).toBe(7);
    });

    test("passes the arguments unchanged and the environment exactly as given", async () => {
      const { output } = await run(makeRunner(), "/usr/bin/env", ["-u", "a b", "A=1 2"], { GIVEN: "x y" });
      expect(output.split("\n").filter((line) => line !== "")).toEqual(["GIVEN=x y", "A=1 2"]);
    });

    test("says what it does", () => {
      expect(makeRunner().description).not.toBe("");
    });
  });
}

async function run(
  runner: Runner,
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const command = runner.confine({ file, args, cwd: tmpdir(), env }, { writable: [tmpdir()] });
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
