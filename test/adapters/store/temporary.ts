import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of the running test's own, removed at its end. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "flotilla-store-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
