import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { markedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import { describeConfined } from "../../adapters/sandbox/bubblewrap-here.ts";
import { temporaryDirectory } from "../../adapters/store/temporary.ts";
import { COMPILE_CACHE } from "../../compile-cache.ts";

const MAIN = join(import.meta.dirname, "../../../src/main.ts");

describeConfined("a trial that is interrupted", () => {
  // At the beginning there is no process yet; later there is one.
  it.each(["", "session"])("says so, and leaves neither files nor processes (in %j)", async (reached) => {
    const cwd = temporaryDirectory();
    const TMPDIR = join(cwd, "temporary");
    mkdirSync(TMPDIR);
    const child = spawn(process.execPath, [MAIN, "agents", "try", "feat-dev"], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR, ...COMPILE_CACHE },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "close");
    const said = text(child.stderr);
    const there = () => readdirSync(TMPDIR).find((name) => existsSync(join(TMPDIR, name, reached)));
    await expect.poll(there).toBeDefined();
    const mark = `try@${join(TMPDIR, there() ?? "", "session")}`;
    child.kill("SIGTERM");
    expect(await ended).toEqual([2, null]);
    expect(await said).toBe("The trial was interrupted.\nRun it again: nothing of it is left.\n");
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect(await markedProcesses([mark])).toEqual([]);
  });
});
