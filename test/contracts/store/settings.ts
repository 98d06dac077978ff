import { describe, expect, test } from "vitest";
import type { RepositoryFileRow } from "../../../src/domain/ports/settings-tables.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const file: RepositoryFileRow = {
  repositoryId: repository.id,
  fingerprint: "f1",
  override: { roles: {}, limits: { defaults: {}, roles: {} } },
  source: "f1",
  faults: [],
  readAt: 5,
};

export function settingsContract(open: () => Promise<Store>): void {
  describe("settings of repositories, and sessions of browsers", () => {
    const store = fresh(open);

    test("of a repository's own file the last reading is kept", async () => {
      const { repositoryFiles } = store();
      expect(await repositoryFiles.get(repository.id)).toBeUndefined();
      await repositoryFiles.put(file);
      await repositoryFiles.put({ ...file, repositoryId: 3, override: null, source: null });
      const faulty = { ...file, fingerprint: "f2", faults: ["limits: is no list"], readAt: 9 };
      await repositoryFiles.put(faulty);
      expect(await repositoryFiles.get(repository.id)).toEqual(faulty);
      expect((await repositoryFiles.all()).map(({ repositoryId }) => repositoryId)).toEqual([
        3,
        repository.id,
      ]);
    });

    test("a secret is kept once: whoever comes later, or at the same time, gets that one", async () => {
      const { keptSecrets } = store();
      expect(await keptSecrets.get("marker")).toBeUndefined();
      const [first, other] = await Promise.all([
        keptSecrets.keep("marker", "first"),
        keptSecrets.keep("marker", "other"),
      ]);
      expect([first, other]).toEqual([first, first]);
      expect(await keptSecrets.keep("marker", "later")).toBe(first);
      expect(await keptSecrets.get("marker")).toBe(first);
    });

    test("a session that was ended is known until it would have ended by itself, and gone at the next sign-out", async () => {
      const { signOuts } = store();
      await signOuts.add("first", { until: 10, now: 0 });
      await signOuts.add("second", { until: 20, now: 9 });
      expect([await signOuts.has("first"), await signOuts.has("second")]).toEqual([true, true]);
      await signOuts.add("third", { until: 30, now: 10 });
      expect([await signOuts.has("first"), await signOuts.has("second")]).toEqual([false, true]);
    });
  });
}
