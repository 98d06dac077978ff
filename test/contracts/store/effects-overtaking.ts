import { describe, expect, test } from "vitest";
import type { Effect } from "../../../src/domain/kernel/effect.ts";
import type { EffectRow } from "../../../src/domain/kernel/rows.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { effect } from "../../adapters/store/samples.ts";
import { OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const look: Effect = { kind: "look_at_issue" };
const checks: Effect = { kind: "look_at_checks", agentId: 1 };
const label: Effect = { kind: "add_labels", labels: ["bug"] };
const question: Effect = { kind: "question_comment", question: 1 };
const status: Effect = { kind: "status_comment" };
const command = { verb: "why", by: "ann", delivery: "d" };
const react: Effect = { kind: "react", commentId: 1, place: "issue", reaction: "+1", command };
const comment = (name: string): Effect => ({ kind: "post_comment", name, body: "Hello." });

const done = { state: "done", result: null, error: null, at: 1 } as const;
const parked = { error: "limit", uncertain: false, lagsUntil: 0, countAttempt: false };

/** Effects of one lane whose first one waits, for GitHub's limits or another try. */
export function overtakingContract(open: () => Promise<Store>): void {
  describe("effects behind one that waits", () => {
    const store = fresh(open);
    const lease = (now: number) => store().effects.lease({ ...OURS, now, leaseMs: () => 100, limit: 10 });
    const keysAt = async (now: number) => (await lease(now)).map(({ key }) => key);

    /** All in one lane, each with its place as its key; the first waits until 500. */
    async function behind(...payloads: readonly Effect[]): Promise<readonly number[]> {
      const rows = payloads.map((payload, index) => effect({ key: String(index), payload }));
      const ids = await store().effects.add(rows);
      await park(await lease(1));
      return ids;
    }

    const park = async ([row]: readonly EffectRow[], notBefore = 500) =>
      store().effects.retry(row?.id ?? 0, OURS.token, { ...parked, notBefore });

    test("continue where they answer people, in their order and one at a time, and all else keeps its place", async () => {
      const ids = await behind(look, label, react, checks, comment("a"), status);
      for (const key of ["2", "4", "5"]) {
        expect(await keysAt(2)).toEqual([key]);
        expect(await keysAt(2)).toEqual([]);
        await store().effects.settle(ids[Number(key)] ?? 0, OURS.token, done);
      }
      expect(await keysAt(499)).toEqual([]);
      expect(await keysAt(500)).toEqual(["0"]);
      expect(await keysAt(500)).toEqual([]);
    });

    test("keep the first from continuing while one that has overtaken it is under way", async () => {
      const [, answer = 0] = await behind(look, comment("a"));
      expect(await keysAt(2)).toEqual(["1"]);
      expect(await keysAt(500)).toEqual([]);
      await store().effects.settle(answer, OURS.token, done);
      expect(await keysAt(500)).toEqual(["0"]);
    });

    test("overtake nothing that is due or under way", async () => {
      await behind(look, comment("a"));
      expect(await keysAt(500)).toEqual(["0"]);
      expect(await keysAt(500)).toEqual([]);
    });

    test("go on behind a display that was put off, and its like brings it forward", async () => {
      const later: Effect = { kind: "status_comment", notBefore: 500 };
      const put = (key: string, payload: Effect, notBefore = 0) =>
        store().effects.add([effect({ key, payload, notBefore })]);
      const [shown = 0] = await put("shown", later, 500);
      const [other = 0] = await put("label", label);
      expect(await keysAt(2)).toEqual(["label"]);
      await store().effects.settle(other, OURS.token, done);
      expect(await keysAt(499)).toEqual([]);
      expect(await put("later still", later, 600)).toEqual([shown]);
      expect(await put("now", status)).toEqual([shown]);
      expect(await keysAt(2)).toEqual(["shown"]);
    });

    test("leave a display where it is that waits for a limit", async () => {
      await behind(status, label, comment("a"));
      const [again] = await store().effects.add([effect({ key: "now", payload: status })]);
      expect(await store().effects.get(again ?? 0)).toMatchObject({ key: "0", notBefore: 500 });
      expect(await keysAt(499)).toEqual([]);
      expect(await keysAt(500)).toEqual(["0"]);
    });

    test("come forward also with a display of the same transaction", async () => {
      const later: Effect = { kind: "status_comment", notBefore: 500 };
      await store().transaction((tables) =>
        tables.effects.add([
          effect({ key: "later", payload: later, notBefore: 500 }),
          effect({ key: "now", payload: status }),
        ]),
      );
      expect(await keysAt(2)).toEqual(["later"]);
    });

    test("keep their order among themselves also while the first of them waits", async () => {
      await behind(look, question, comment("b"), status, react);
      await park(await lease(2), 400);
      expect(await keysAt(399)).toEqual([]);
      expect(await keysAt(400)).toEqual(["1"]);
    });
  });
}
