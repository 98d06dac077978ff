import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent, repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

export function blockersContract(open: () => Promise<Store>): void {
  describe("what issues are blocked by", () => {
    const store = fresh(open);
    const blocker = { repository: "acme/lib", number: 3, open: true };
    const row = { repositoryId: repository.id, issue: 5, blockers: [blocker], linked: true, readAt: 1 };

    test("is as it was read last, each issue's own", async () => {
      const { blockers, repositories } = store();
      await repositories.put(repository);
      expect(await blockers.get(row.repositoryId, 5)).toBeUndefined();
      await blockers.put(row);
      await blockers.put({ ...row, issue: 6, blockers: [] });
      expect(await blockers.get(row.repositoryId, 5)).toEqual(row);
      const later = { ...row, blockers: [{ ...blocker, open: false }], linked: false, readAt: 2 };
      await blockers.put(later);
      expect(await blockers.get(row.repositoryId, 5)).toEqual(later);
      expect((await blockers.get(row.repositoryId, 6))?.blockers).toEqual([]);
      expect(await blockers.get(row.repositoryId + 1, 5)).toBeUndefined();
    });

    test("is found by the blocker, open or closed, however its repository is written", async () => {
      const { blockers, repositories } = store();
      await repositories.put(repository);
      const closed = { ...blocker, repository: "Acme/Lib", open: false };
      const other = { ...blocker, number: 33 };
      await blockers.put({ ...row, issue: 6, blockers: [other, closed] });
      await blockers.put({ ...row, issue: 7, blockers: [other] });
      await blockers.put({ ...row, issue: 8, blockers: [] });
      await blockers.put(row);
      const found = await blockers.blocking({ repository: "ACME/lib", number: 3 });
      expect(found.map(({ issue }) => issue)).toEqual([5, 6]);
      expect(found[0]).toEqual(row);
      expect(await blockers.blocking({ repository: "acme/app", number: 3 })).toEqual([]);
    });

    test("is not found by a blocker that a later reading leaves out", async () => {
      const { blockers, repositories } = store();
      await repositories.put(repository);
      await blockers.put(row);
      await blockers.put({ ...row, blockers: [{ ...blocker, number: 33 }], readAt: 2 });
      expect(await blockers.blocking({ repository: "acme/lib", number: 3 })).toEqual([]);
      expect(await blockers.blocking({ repository: "acme/lib", number: 33 })).toHaveLength(1);
      await blockers.put({ ...row, blockers: [], readAt: 3 });
      expect(await blockers.blocking({ repository: "acme/lib", number: 33 })).toEqual([]);
    });

    test("is found by what agents reported, for as long as they wait for it", async () => {
      const { blockers, records } = store();
      const both = await insertAgent(store(), { issue: 1, state: "SLEEPING", blockedBy: [3, 33] });
      const other = await insertAgent(store(), { issue: 2, state: "SLEEPING" });
      const three = async () => blockers.reportedBy(repository.id, 3);
      expect(await three()).toEqual([both.id]);
      const late = await records.save("agent", other, { ...other, blockedBy: [3] });
      expect(await three()).toEqual([both.id, other.id]);
      await records.save("agent", both, { ...both, blockedBy: [33] });
      expect(await three()).toEqual([other.id]);
      await records.save("agent", late, { ...late, blockedBy: [] });
      expect(await three()).toEqual([]);
      expect(await blockers.reportedBy(repository.id, 33)).toEqual([both.id]);
      expect(await blockers.reportedBy(repository.id + 1, 33)).toEqual([]);
    });
  });
}
