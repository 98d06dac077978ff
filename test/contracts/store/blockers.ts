import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/core/ports/store.ts";
import { repository } from "../../store/samples.ts";
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
  });
}
