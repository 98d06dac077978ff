import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { fresh } from "./fresh.ts";

const pause = { scope: "all", holder: "person", by: "alice", reason: null, since: 10 } as const;

export function scopePauseContract(open: () => Promise<Store>): void {
  describe("pauses of scopes", () => {
    const store = fresh(open);

    test("hold everything or one repository, and stand once for each holder", async () => {
      const { scopePauses } = store();
      expect(await scopePauses.add(pause)).toBe(true);
      expect(await scopePauses.add({ ...pause, by: "bob", since: 20 })).toBe(false);
      expect(await scopePauses.add({ ...pause, holder: "incident", by: "flotilla", reason: "429" })).toBe(
        true,
      );
      expect(await scopePauses.add({ ...pause, scope: "repository:8" })).toBe(true);
      expect(await scopePauses.over(7)).toMatchObject([
        pause,
        { ...pause, holder: "incident", by: "flotilla", reason: "429" },
      ]);
      expect((await scopePauses.over(8)).map(({ scope }) => scope)).toEqual(["all", "all", "repository:8"]);
      expect(await scopePauses.list()).toHaveLength(3);
    });

    test("each holder lifts only its own", async () => {
      const { scopePauses } = store();
      await scopePauses.add(pause);
      await scopePauses.add({ ...pause, holder: "incident" });
      expect(await scopePauses.lift("repository:7", "person")).toBe(false);
      expect(await scopePauses.lift("all", "person")).toBe(true);
      expect(await scopePauses.lift("all", "person")).toBe(false);
      expect((await scopePauses.over(7)).map(({ holder }) => holder)).toEqual(["incident"]);
    });
  });
}
