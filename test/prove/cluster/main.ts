import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withParts } from "../../docs/parts.ts";
import { brokenBy, clusterTable } from "./result.ts";
import { runCluster } from "./run.ts";

const PAGE = "docs/performance.md";
const ALL = { kills: 200, pauses: 60, outages: 5, promotions: 3, nodes: 4, issues: 60, "outage-s": 60 };
/** Some three minutes on a quiet machine. */
const SMALL: typeof ALL = {
  ...ALL,
  kills: 20,
  pauses: 4,
  outages: 1,
  promotions: 1,
  issues: 6,
  "outage-s": 10,
};
const SETTLE_SECONDS = 600;
const say = (text: string) => process.stdout.write(`${text}\n`);

/** `npm run prove -- cluster`: returns the exit code. */
export async function proveCluster(args: readonly string[]): Promise<number> {
  const number = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: number,
      pauses: number,
      outages: number,
      promotions: number,
      nodes: number,
      issues: number,
      "outage-s": number,
      seed: number,
      small: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const preset = values.small ? SMALL : ALL;
  const of = (name: keyof typeof ALL) => whole(name, values[name] ?? String(preset[name]));
  const seed = whole("seed", values.seed ?? String(Date.now() % 1_000_000));
  const directory = mkdtempSync(join(tmpdir(), "flotilla-cluster-"));
  const now = new Date();
  say(`seed ${seed}; logs of the processes are in ${directory}/nodes`);
  const result = await runCluster({
    kills: of("kills"),
    pauses: of("pauses"),
    outages: of("outages"),
    promotions: of("promotions"),
    nodes: of("nodes"),
    issues: of("issues"),
    outageMs: of("outage-s") * 1000,
    seed,
    settleSeconds: SETTLE_SECONDS,
    directory,
    say: (line) => say(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, ${now.toISOString().slice(0, 10)}`;
  const table = clusterTable(result, machine);
  say(`\n${table}\n\nended at: ${result.points.join(", ")}`);
  if (values.write) writeFileSync(PAGE, withParts(readFileSync(PAGE, "utf8"), { cluster: table }));
  const broken = brokenBy(result);
  for (const line of broken) say(line);
  // What went wrong is read in the logs.
  if (broken.length > 0) return 1;
  rmSync(directory, { recursive: true, force: true });
  return 0;
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, and not ${text}`);
  return Number(text);
}
