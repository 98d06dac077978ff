import { describe, expect, it } from "vitest";
import { ledger } from "../../../src/domain/reporting/ledger.ts";
import { ledgerRows } from "../../adapters/store/ledger-rows.ts";
import { labeled, pullClosed, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { edit, on, work } from "../../engine/scripts.ts";

/** Its agent takes one task after the other, which is a role here: what the ledger tells of each role. */
async function totalsOf(rig: Rig): Promise<readonly { readonly key: string }[]> {
  const names = new Map([[7, "acme/shop"]]);
  return ledger(await ledgerRows(rig.store, 0), "role", { from: 0, to: rig.clock.now() + 1, names });
}

/** Its clean-up counts the tasks of an agent, all and completed. */
export function totals(): void {
  describe("the totals of an agent", () => {
    it("are each role's runs and finished tasks", async () => {
      const refused = { error: { status: 400, message: "no" } };
      const rig = await aRig({ script: [on(1, ...work), on(2, edit(), refused)] });
      await tell(rig, labeled(rig, 1), labeled(rig, 2));
      const [pull = 0] = rig.repository.pulls.keys();
      await tell(rig, pullClosed(rig, pull, { merged: true }));
      expect(await totalsOf(rig)).toMatchObject([{ key: "feat-dev", runs: 2, finished: 1 }]);
    });
  });
}
