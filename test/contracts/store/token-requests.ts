import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { fresh } from "./fresh.ts";

const ASKED = { node: "build-7", epoch: 2, purpose: "git", repositoryId: 7, askedAt: 100 } as const;

/** What machines without the App's key ask of those that have it. */
export function tokenRequestContract(open: () => Promise<Store>): void {
  describe("requests for tokens", () => {
    const store = fresh(open);

    test("are open until they are answered, once, and then dropped", async () => {
      const { tokenRequests } = store();
      const [one, two, three] = [
        await tokenRequests.add(ASKED),
        await tokenRequests.add({ ...ASKED, purpose: "api" }),
        await tokenRequests.add({ ...ASKED, askedAt: 50 }),
      ];
      expect((await tokenRequests.open(2)).map(({ id }) => id)).toEqual([one, two]);
      await tokenRequests.answer(one, { sealed: "sealed" });
      await tokenRequests.answer(one, { sealed: "later" });
      await tokenRequests.answer(two, { refusal: "no agent" });
      await tokenRequests.answer(two, { sealed: "later" });
      const none = { sealed: null, refusal: null };
      expect(await tokenRequests.get(one)).toEqual({ ...ASKED, ...none, id: one, sealed: "sealed" });
      expect(await tokenRequests.get(two)).toMatchObject({ ...none, refusal: "no agent" });
      expect((await tokenRequests.open(9)).map(({ id }) => id)).toEqual([three]);
      await tokenRequests.drop(one);
      await tokenRequests.dropOutside(100, 199);
      expect([await tokenRequests.get(one), await tokenRequests.get(three)]).toEqual([undefined, undefined]);
      expect(await tokenRequests.get(two)).toBeDefined();
    });

    test("of a purpose that this version does not know hold up no others, and those of the future are dropped", async () => {
      const { tokenRequests } = store();
      const purpose: "git" = JSON.parse('"merge"');
      await tokenRequests.add({ ...ASKED, purpose });
      const known = await tokenRequests.add(ASKED);
      const future = await tokenRequests.add({ ...ASKED, askedAt: 200 });
      expect((await tokenRequests.open(9)).map(({ id }) => id)).toEqual([known, future]);
      await tokenRequests.dropOutside(100, 199);
      expect((await tokenRequests.open(9)).map(({ id }) => id)).toEqual([known]);
    });
  });

  describe("the App's identity", () => {
    const store = fresh(open);

    test("is that of the last controller that asked GitHub", async () => {
      const { appIdentities } = store();
      const identity = { appId: 5, slug: "flotilla", botLogin: "flotilla[bot]", botId: 99 };
      expect(await appIdentities.get(5)).toBeUndefined();
      await appIdentities.put(identity);
      await appIdentities.put({ ...identity, slug: "renamed" });
      expect(await appIdentities.get(5)).toEqual({ ...identity, slug: "renamed" });
      expect(await appIdentities.get(6)).toBeUndefined();
      await appIdentities.put({ ...identity, appId: 3 });
      expect(await appIdentities.ids()).toEqual([3, 5]);
    });
  });
}
