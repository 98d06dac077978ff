import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasOld, OLD } from "../prove/upgrade/old-version.ts";
import { brokenBy } from "../prove/upgrade/result.ts";
import { runUpgrade } from "../prove/upgrade/run.ts";
import { proved } from "../proved.ts";
import { describeWithPostgres } from "./databases.ts";

/** The long form is `npm run prove -- upgrade`. */
describe.skipIf(!hasOld())(`an upgrade from ${OLD}, which this checkout must have`, () => {
  describeWithPostgres("machine by machine, and back", { timeout: 600_000 }, () => {
    test("loses and doubles nothing, and a drain cuts no turn", async () => {
      const directory = mkdtempSync(join(tmpdir(), "flotilla-upgrade-"));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      const result = await runUpgrade({
        seed: 1,
        nodes: 2,
        minutes: 0,
        settleSeconds: 300,
        directory,
        say: () => undefined,
      });
      expect(brokenBy(result)).toEqual([]);
      const { replacements } = result;
      const ways = ["upgrade", "upgrade", "back", "back", "upgrade", "upgrade"];
      expect(replacements.map(({ way }) => way)).toEqual(ways);
      // Each drain has met agents, which rest because of it.
      const drained = replacements.filter(({ drainMs }) => drainMs !== null);
      expect(drained.map(({ agents }) => agents)).not.toContain(0);
      const rests = drained.flatMap((one) => one.rests).join();
      expect(rests).toContain("its machine is being drained");
      proved({
        promise: "Machines are upgraded one after the other, and back, while agents work.",
        test: "test/postgres/upgrade.test.ts",
        figure: `${result.issues} agents, ${ways.length} replacements, ${result.lost.length} lost, ${result.twice.length} doubled`,
      });
    });
  });
});
