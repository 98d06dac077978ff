import type { OF_CHECKS } from "../../../src/domain/decisions/rules.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { labeled, said, tell } from "../people.ts";
import { failing, headOf, type PutCheck, put } from "../put-checks.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, on, work } from "../scripts.ts";
import { awake, done, inReview } from "../together/work-under-way.ts";
import type { Cause } from "./cause.ts";

const GREEN: PutCheck = { state: "green", job: 900 };

/** Work that is up for review, with the required check `build`. */
const reviewed =
  (act: (rig: Rig) => Promise<unknown>, begin: () => Promise<Rig> = done): Cause =>
  async () => {
    const rig = await begin();
    rig.repository.requiredChecks = ["build"];
    rig.clock.advance(MINUTE);
    await act(rig);
    return rig;
  };

const red = (rig: Rig) => tell(rig, put(rig, headOf(rig), { build: failing(11) }));

const writesList = (issue: number) => on(issue, edit("list.txt", `${issue}\n`), ...work);

/** Green once on the same commit, then red. */
async function flickers(rig: Rig, check: PutCheck): Promise<void> {
  await tell(rig, put(rig, headOf(rig), { build: GREEN }));
  rig.clock.advance(MINUTE);
  await tell(rig, put(rig, headOf(rig), { build: check }));
}

export const CAUSES_OF_CHECKS: Readonly<Record<keyof typeof OF_CHECKS, Cause>> = {
  attention: async () => {
    const rig = await done({ settings: { attention: { openPrs: 1 } } });
    await tell(rig, labeled(rig, 2));
    return rig;
  },
  base_red: reviewed(async (rig) => {
    put(rig, "main", { build: failing(12) });
    await red(rig);
  }),
  checks_at_work: reviewed(async (rig) => {
    await rig.engine.handle(said(rig, 1, "@flotilla one more thing"));
    await awake(rig);
    await rig.engine.handle(put(rig, headOf(rig), { build: failing(11) }));
    await rig.until("it is looked at", async () =>
      (await rig.store.decisions.ofIssue(7, 1, 9)).some(({ rule }) => rule === "checks_at_work"),
    );
  }, inReview),
  checks_awaiting_approval: reviewed(async (rig) => {
    rig.repository.awaitingApproval.add(headOf(rig));
    await tell(rig, put(rig, headOf(rig), {}));
  }),
  // A status of another App: nobody but a person runs that again.
  checks_by_hand: reviewed((rig) => flickers(rig, { state: "red" })),
  checks_give_up: reviewed(async (rig) => {
    const rows = ["a", "b", "c", "d", "e"].map((commit) => ({ commit, check: commit, fingerprint: null }));
    await rig.store.checks.attempt(rows.map((row) => ({ ...row, taskId: 1, at: 1 })));
    await red(rig);
  }),
  checks_rerun: reviewed((rig) => flickers(rig, failing(11))),
  conflict_waits: async () => {
    const rig = await aRig({ issues: 2, script: [writesList(1), writesList(2)] });
    // Not the one of issue 1: its conflict is fixed at once, and that of issue 2 waits meanwhile.
    await tell(rig, labeled(rig, 2));
    await tell(rig, labeled(rig, 1));
    rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
    await rig.pass(5 * MINUTE);
    return rig;
  },
  no_checks: reviewed((rig) => rig.pass(HOUR)),
};
