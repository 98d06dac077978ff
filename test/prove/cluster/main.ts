import { parseArgs } from "node:util";
import { newSeed, proveFleet, SETTLE_SECONDS, whole } from "../fleet/prove-fleet.ts";
import { POINTS } from "./points.ts";
import { brokenBy, clusterTable } from "./result.ts";
import { runCluster } from "./run.ts";

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
  const seed = whole("seed", values.seed ?? newSeed());
  return proveFleet({
    name: "cluster",
    seed,
    write: values.write,
    run: async ({ directory, say }) => {
      const result = await runCluster({
        kills: of("kills"),
        pauses: of("pauses"),
        outages: of("outages"),
        promotions: of("promotions"),
        nodes: of("nodes"),
        issues: of("issues"),
        outageMs: of("outage-s") * 1000,
        seed,
        everyPoint: !values.small,
        settleSeconds: SETTLE_SECONDS,
        directory,
        say,
      });
      say(`ended at: ${result.points.join(", ")}`);
      say(`at none of: ${POINTS.filter((point) => !result.points.includes(point)).join(", ")}`);
      return result;
    },
    table: clusterTable,
    broken: brokenBy,
  });
}
