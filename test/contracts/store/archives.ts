import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { agent, effect, repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const KEPT = { path: "archives/7/a/b.bundle", sha256: "a".repeat(64), bytes: 9, removedAt: null };
const BARE = { path: null, sha256: null, bytes: null, removedAt: null };

export function archiveContract(open: () => Promise<Store>): void {
  describe("what is kept of agents that have ended", () => {
    const store = fresh(open);
    const three = async () => {
      await store().repositories.put(repository);
      const ids: number[] = [];
      for (const issue of [1, 2, 3]) ids.push((await store().records.insert("agent", agent({ issue }))).id);
      return ids;
    };

    test("is due when its time is over, the oldest first, until it was removed", async () => {
      const { archives } = store();
      const [one = 0, two = 0, three_ = 0] = await three();
      await archives.put({ ...KEPT, agentId: one, madeAt: 1, expiresAt: 30 });
      await archives.put({ ...BARE, agentId: two, madeAt: 1, expiresAt: 20 });
      await archives.put({ ...BARE, agentId: three_, madeAt: 1, expiresAt: 31 });
      expect((await archives.due(30)).map(({ agentId }) => agentId)).toEqual([two, one]);
      await archives.removed(one, 31);
      expect((await archives.due(30)).map(({ agentId }) => agentId)).toEqual([two]);
      expect(await archives.ofAgents([three_, one])).toEqual([
        { ...KEPT, agentId: one, madeAt: 1, expiresAt: 30, removedAt: 31 },
        { ...BARE, agentId: three_, madeAt: 1, expiresAt: 31 },
      ]);
    });

    test("is one row for an agent", async () => {
      const { archives } = store();
      const [one = 0] = await three();
      await archives.put({ ...BARE, agentId: one, madeAt: 1, expiresAt: 2 });
      await archives.put({ ...KEPT, agentId: one, madeAt: 3, expiresAt: 4 });
      expect(await archives.ofAgents([one])).toEqual([{ ...KEPT, agentId: one, madeAt: 3, expiresAt: 4 }]);
    });

    test("is what was saved last of the work of each agent", async () => {
      const { checkpoints } = store();
      const [agentId = 0, other = 0] = await three();
      const none = { token: 1, commit: null, madeAt: null, pushed: null, pushedMadeAt: null, fault: "held" };
      await checkpoints.put({ ...none, agentId });
      expect(await checkpoints.get(agentId)).toEqual({ ...none, agentId });
      const made = { token: 2, commit: "a", madeAt: 3, pushed: "b", pushedMadeAt: 2, fault: null };
      await checkpoints.put({ ...made, agentId });
      expect(await checkpoints.get(agentId)).toEqual({ ...made, agentId });
      expect(await checkpoints.get(other)).toBeUndefined();
    });

    test("is the conversation of an agent, until it is dropped", async () => {
      const { conversations } = store();
      const [agentId = 0, other = 0] = await three();
      const row = { agentId, sessionId: "s", token: 1, keptAt: 2, packed: Uint8Array.from([0, 255, 10]) };
      await conversations.put(row);
      await conversations.put({ ...row, token: 2, packed: Uint8Array.from([7]) });
      const found = await conversations.get(agentId);
      expect({ ...found, packed: [...(found?.packed ?? [])] }).toEqual({ ...row, token: 2, packed: [7] });
      await conversations.drop(agentId);
      expect(await conversations.get(agentId)).toBeUndefined();
      await conversations.put({ ...row, agentId: other });
      expect(await conversations.get(other)).toMatchObject({ agentId: other, token: 1 });
    });

    test("is a worktree that was left, but not of an agent that lives or that something is done for", async () => {
      const { records, archives, effects } = store();
      await store().repositories.put(repository);
      const ended = { state: "FAILED" as const, worktreePath: "/w", endedAt: 5 };
      const left = await records.insert("agent", agent({ ...ended, issue: 1 }));
      const busy = await records.insert("agent", agent({ ...ended, issue: 2 }));
      await records.insert("agent", agent({ worktreePath: "/w", issue: 3 }));
      await records.insert("agent", agent({ ...ended, worktreePath: null, issue: 4 }));
      await effects.add([effect({ key: "k", agentId: busy.id })]);
      expect(await archives.left()).toEqual([left.id]);
    });
  });
}
