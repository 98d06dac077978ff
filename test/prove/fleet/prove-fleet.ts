import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { withParts } from "../../docs/parts.ts";

const PAGE = "docs/performance.md";

/**
 * How long processes may take to settle once nothing disturbs them any more. Many interruptions of many agents come to GitHub's
 * limit of 500 writes an hour, so it is longer than an hour.
 */
export const SETTLE_SECONDS = 4_000;

export interface FleetProof<R> {
  /** The part of docs/performance.md that has its table. */
  readonly name: string;
  readonly seed: number;
  /** Whether the table is written into the page. */
  readonly write: boolean;
  readonly run: (on: { readonly directory: string; readonly say: (line: string) => void }) => Promise<R>;
  readonly table: (result: R, machine: string) => string;
  readonly broken: (result: R) => readonly string[];
}

/** Runs a proof in a directory of its own, prints its table and what was broken; returns the exit code. */
export async function proveFleet<R>(proof: FleetProof<R>): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), `flotilla-${proof.name}-`));
  const day = new Date().toISOString().slice(0, 10);
  print(`seed ${proof.seed}; logs of the processes are in ${directory}/nodes`);
  const say = (line: string) => print(`${new Date().toISOString().slice(11, 19)} ${line}`);
  const result = await proof.run({ directory, say });
  const table = proof.table(result, `${availableParallelism()} cores, Node ${process.versions.node}, ${day}`);
  print(`\n${table}\n`);
  if (proof.write) writeFileSync(PAGE, withParts(readFileSync(PAGE, "utf8"), { [proof.name]: table }));
  const broken = proof.broken(result);
  for (const line of broken) print(line);
  // What went wrong is read in the logs.
  if (broken.length > 0) return 1;
  rmSync(directory, { recursive: true, force: true });
  return 0;
}

/** Reads an option that is a whole number. */
export function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, and not ${text}`);
  return Number(text);
}

/** Returns the seed of a run that names none. */
export function newSeed(): string {
  return String(Date.now() % 1_000_000);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
