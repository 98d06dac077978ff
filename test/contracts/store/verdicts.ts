import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { type Reviewer, roleAs } from "../../../src/domain/review/reviewer.ts";
import type { VerdictRow } from "../../../src/domain/review/verdict.ts";
import { agent, repository, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const alice = { reviewer: "alice", account: 5 };
const renamed = { ...alice, reviewer: "alice-again" };
const bob = { reviewer: "bob", account: 6 };
/** Has the login that alice had. */
const taker = { reviewer: "alice", account: 9 };
const role = roleAs("alice");
const ids = (rows: readonly VerdictRow[]) => rows.map(({ id }) => id);
const rejects = { approves: false };

export function verdictContract(open: () => Promise<Store>): void {
  describe("verdicts", () => {
    const store = fresh(open);
    let taskId = 0;
    let agentId = 0;
    const begin = async () => {
      await store().repositories.put(repository);
      taskId = (await store().records.insert("task", task())).id;
      agentId = (await store().records.insert("agent", agent({ role: role.reviewer }))).id;
    };
    const add = (reviewer: Reviewer, more: Partial<VerdictRow> = {}) =>
      store().verdicts.add({
        taskId,
        agentId: reviewer.account === null ? agentId : null,
        ...reviewer,
        commit: "c1",
        approves: true,
        body: "Fine.",
        comments: [{ path: "a.ts", line: 3, body: "Here.", inline: true }],
        evidence: ["npm test"],
        createdAt: 10,
        ...more,
      });
    const unrevoked = async () =>
      (await store().verdicts.ofTask(taskId)).flatMap(({ id, state }) => (state === "current" ? [id] : []));

    test("are kept with who gave them: the account of a person, the role of an agent", async () => {
      await begin();
      const byPerson = await add(alice);
      const byAgent = await add(role);
      expect(byPerson).toMatchObject({ ...alice, agentId: null, state: "current", commit: "c1" });
      expect(byAgent).toMatchObject({ ...role, agentId, evidence: ["npm test"] });
      expect(await store().verdicts.ofTask(taskId)).toEqual([byPerson, byAgent]);
      expect(await store().verdicts.get(byAgent.id)).toEqual(byAgent);
      expect(await store().verdicts.get(99)).toBeUndefined();
    });

    test("stand once for an account on a commit, whatever its login, and once for a role", async () => {
      await begin();
      await add(alice);
      const other = await add(alice, { commit: "c2" });
      const two = await add(bob);
      const three = await add(renamed, rejects);
      const four = await add(taker);
      await add(role);
      const five = await add(role);
      expect(await unrevoked()).toEqual([other.id, two.id, three.id, four.id, five.id]);
    });

    test("of an account that asks for changes are lifted under its new login, and no others", async () => {
      await begin();
      const asked = await add(alice, rejects);
      await add(alice, { ...rejects, commit: "c2" });
      await add(taker, rejects);
      await add(role, rejects);
      await add(bob);
      const { verdicts } = store();
      expect(await verdicts.lift(taskId, { reviewer: bob, commit: "c1" })).toEqual([]);
      expect(await verdicts.lift(taskId + 1, { reviewer: alice, commit: "c1" })).toEqual([]);
      expect(await verdicts.lift(taskId, { reviewer: role, commit: "c1" })).toEqual([]);
      const lifted = await verdicts.lift(taskId, { reviewer: renamed, commit: "c1" });
      expect(lifted).toEqual([{ ...asked, state: "dropped" }]);
      expect(await verdicts.lift(taskId, { reviewer: renamed, commit: "c1" })).toEqual([]);
      expect(await unrevoked()).toHaveLength(4);
    });

    test("are dropped with their commit, and on the commit that is kept those of the one who is named", async () => {
      await begin();
      const old = await add(bob, { commit: "c0" });
      const own = await add(alice);
      const [another, agents] = [await add(taker), await add(role)];
      const { verdicts } = store();
      expect(ids(await verdicts.drop(taskId, { keep: "c1" }))).toEqual([old.id]);
      expect(ids(await verdicts.drop(taskId, { keep: "c1", reviewer: renamed }))).toEqual([own.id]);
      expect(await unrevoked()).toEqual([another.id, agents.id]);
      expect(ids(await verdicts.drop(taskId, { keep: null }))).toEqual([another.id, agents.id]);
    });

    test("of a role are found, newest first, without those of a person of its name", async () => {
      await begin();
      const one = await add(role);
      await add(alice);
      const two = await add(role, { commit: "c2" });
      const { verdicts } = store();
      expect(await verdicts.latestOf(role.reviewer, 5)).toEqual([two, { ...one, state: "current" }]);
      expect(await verdicts.latestOf(role.reviewer, 1)).toEqual([two]);
      expect(await verdicts.commitOf(agentId)).toBe("c2");
      expect(await verdicts.commitOf(agentId + 1)).toBeUndefined();
    });
  });
}
