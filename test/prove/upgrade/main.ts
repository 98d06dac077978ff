import { parseArgs } from "node:util";
import { newSeed, proveFleet, SETTLE_SECONDS, whole } from "../fleet/prove-fleet.ts";
import { brokenBy, upgradeTable } from "./result.ts";
import { runUpgrade } from "./run.ts";

/** `npm run prove -- upgrade`: returns the exit code. */
export async function proveUpgrade(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string", default: "10" },
      nodes: { type: "string", default: "3" },
      seed: { type: "string", default: newSeed() },
      write: { type: "boolean", default: false },
    },
  });
  const seed = whole("seed", values.seed);
  return proveFleet({
    name: "upgrade",
    seed,
    write: values.write,
    run: (on) =>
      runUpgrade({
        ...on,
        seed,
        minutes: whole("minutes", values.minutes),
        nodes: whole("nodes", values.nodes),
        settleSeconds: SETTLE_SECONDS,
      }),
    table: upgradeTable,
    broken: brokenBy,
  });
}
