import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a process that does nothing else lives until what it ran is gone", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["test/adapters/sandbox/run-child.ts"]);
  expect(stdout).toBe("exit code 0");
});
