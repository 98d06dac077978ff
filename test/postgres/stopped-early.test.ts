import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../compile-cache.ts";
import { until } from "../journeys/until.ts";
import { describeWithPostgres, newDatabase } from "./databases.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

describeWithPostgres("a process that waits for a controller", { timeout: 120_000 }, () => {
  test("ends at the first signal to stop", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flotilla-waiting-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    writeFileSync(join(cwd, "config.yaml"), "sandbox: { mode: none }\n");
    const env = {
      PATH: process.env["PATH"] ?? "",
      ...COMPILE_CACHE,
      APP_ID: "1",
      COPILOT_GITHUB_TOKEN: "a token of the tests",
      DATABASE_URL: await newDatabase(),
    };
    const child = spawn(process.execPath, [MAIN, "serve", "--role", "runner"], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const ended = once(child, "exit");
    await until("it waits", () => log.includes("waiting for a machine with the role controller"), 60);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(log).toContain("stopped while starting");
  });
});
