import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Bench } from "../../bench/bench.ts";
import { readProcesses } from "../../src/adapters/sandbox/process-table.ts";

/** Runs it in miniature: every figure is one, and neither a file nor a process of it is left. Returns what it measured. */
export async function inMiniature(bench: Bench): Promise<readonly string[]> {
  const place = mkdtempSync(join(tmpdir(), "flotilla-test-"));
  // A PostgreSQL server runs as another user where this one is root.
  chmodSync(place, 0o711);
  vi.stubEnv("TMPDIR", place);
  try {
    const rows = await bench.run("small");
    const faults = rows.filter(
      ({ ours, reference }) =>
        ours.length * reference.rounds.length === 0 ||
        ![...ours, ...reference.rounds].every((value) => Number.isFinite(value)),
    );
    expect(faults).toEqual([]);
    expect(readdirSync(place)).toEqual([]);
    await expect.poll(() => processesOf(place), { timeout: 10_000 }).toEqual([]);
    return rows.map(({ what }) => what);
  } finally {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true, force: true });
  }
}

/** All that a bench starts has a directory of its own in its environment. */
async function processesOf(place: string): Promise<readonly number[]> {
  const all = await readProcesses();
  return all
    .filter(({ environment }) => environment.some((variable) => variable.includes(place)))
    .map(({ pid }) => pid);
}
