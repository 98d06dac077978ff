import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import type { SeenCheck } from "../../../src/domain/ports/work-tables.ts";
import {
  effect,
  insertAgent,
  redCheck,
  refusedStart,
  repository,
  started,
  wake,
} from "../../adapters/store/samples.ts";
import { OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const OTHER = { ...repository, id: 8, name: "booster" };
const red: SeenCheck = { ...redCheck, seenAt: 20 };
const green: SeenCheck = { ...red, run: "2", state: "green", fingerprint: null, seenAt: 10 };
const decision = { ...refusedStart, delivery: null } as const;

/** Issues of two repositories have the same numbers, and what is read of one is nothing of the other. */
export function othersRowsContract(open: () => Promise<Store>): void {
  describe("the rows of another repository, issue or agent", () => {
    const store = fresh(open);
    const two = () => store().repositories.put(OTHER);

    test("are no checks of a commit, which come in their time's order", async () => {
      await two();
      await store().checks.see([red, green, { ...red, repositoryId: OTHER.id }]);
      expect(await store().checks.ofRef(repository.id, "c1")).toEqual([green, red]);
    });

    test("make no flake of a failure: it has to go away on its own commit", async () => {
      await two();
      const elsewhere = [
        { ...green, ref: "c2" },
        { ...green, name: "lint" },
        { ...green, repositoryId: OTHER.id },
      ];
      await store().checks.see([red, ...elsewhere]);
      expect(await store().checks.flakes(repository.id, ["test", "lint"])).toEqual([]);
      await store().checks.see([green]);
      expect(await store().checks.flakes(repository.id, ["test", "lint"])).toHaveLength(1);
      expect(await store().checks.flakes(OTHER.id, ["test", "lint"])).toEqual([]);
    });

    test("are neither pull requests nor the text of an issue", async () => {
      await two();
      const { seenPulls, issueTexts } = store();
      const pull = { repositoryId: repository.id, pull: 5, openedAt: 10, changedLines: null, asked: [] };
      for (const repositoryId of [repository.id, OTHER.id]) await seenPulls.put({ ...pull, repositoryId });
      expect(await seenPulls.ofRepositories([repository.id])).toEqual([pull]);
      const text = { issue: 42, title: "T", body: "B", approvedBy: "ada", at: 10 };
      await issueTexts.put({ ...text, repositoryId: repository.id });
      expect(await issueTexts.of(OTHER.id, 42)).toBeUndefined();
    });

    test("are no decisions on an issue, and repeat none", async () => {
      await two();
      const { decisions } = store();
      const all = [decision, { ...decision, issue: 43 }, { ...decision, repositoryId: OTHER.id }];
      for (const one of all) expect(await decisions.add(one)).not.toBeNull();
      for (const one of all) expect(await decisions.add(one)).toBeNull();
      expect(await decisions.ofIssue(repository.id, 42, 9)).toMatchObject([decision]);
    });

    test("are no starts of an agent on an issue", async () => {
      await two();
      const here = { repositoryId: repository.id, issue: 42 };
      await store().transitions.add({ ...started, ...here });
      await store().transitions.add({ ...started, ...here, event: "WAKE" });
      await store().transitions.add({ ...started, ...here, repositoryId: OTHER.id });
      expect(await store().transitions.starts(repository.id, 42, 0)).toBe(1);
    });

    test("are neither an agent's last report nor what woke it", async () => {
      const { id: one } = await insertAgent(store(), { state: "SLEEPING" });
      const { id: other } = await insertAgent(store(), { issue: 43, state: "SLEEPING" });
      const report = { agentId: one, token: 1, kind: "report_complete", payload: {}, createdAt: 5 } as const;
      const intent = await store().intents.add({ ...report, commit: "c1" });
      await store().intents.settle(intent?.id ?? 0, "applied", null);
      expect(await store().intents.lastReport(one)).toMatchObject({ commit: "c1" });
      expect(await store().intents.lastReport(other)).toBeUndefined();
      await store().wakes.add(wake({ key: "a", agentId: one }));
      const [woken] = await store().wakes.pending(one);
      await store().wakes.settle([woken?.id ?? 0], "delivered", 10);
      expect(await store().wakes.delivered(one, 5)).toHaveLength(1);
      expect(await store().wakes.delivered(other, 5)).toEqual([]);
    });

    test("wait for no pause of a repository that is not theirs", async () => {
      await two();
      const { effects, scopePauses } = store();
      await effects.add([
        effect({ key: "here" }),
        effect({ key: "there", repositoryId: OTHER.id, lane: "issue:8#42" }),
      ]);
      const shut = { holder: "suspended", by: "GitHub", reason: null, since: 1 } as const;
      await scopePauses.add({ ...shut, scope: `repository:${OTHER.id}` });
      const leased = await effects.lease({ ...OURS, now: 2000, leaseMs: () => 100, limit: 9 });
      expect(leased.map(({ key }) => key)).toEqual(["here"]);
    });
  });
}
