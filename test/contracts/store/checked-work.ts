import { describe, expect, test } from "vitest";
import type { ScreenPicture } from "../../../src/domain/evidence/screens.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import type { SeenCheck } from "../../../src/domain/ports/work-tables.ts";
import { insertAgent, redCheck as red, repository, run, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const green: SeenCheck = {
  ...red,
  run: "2",
  state: "green",
  conclusion: "success",
  fingerprint: null,
  job: null,
  step: null,
  log: "",
  seenAt: 20,
};

export function checkedWorkContract(open: () => Promise<Store>): void {
  describe("checks and evidence", () => {
    const store = fresh(open);

    test("what was seen first of a run of a check stays, but for its excuse and its second run", async () => {
      const { checks } = store();
      await checks.see([red]);
      await checks.see([{ ...red, conclusion: "cancelled" }, green, { ...red, ref: "c2" }]);
      await checks.excuse([red]);
      await checks.rerun(red, "asked", 15);
      expect(await checks.ofRef(repository.id, "c1")).toEqual([
        { ...red, excused: true, rerun: "asked", rerunAt: 15 },
        green,
      ]);
    });

    test("a failure that went away on the same commit is a flake of the check", async () => {
      const { checks } = store();
      await checks.see([red, green, { ...red, name: "lint" }]);
      const flakes = await checks.flakes(repository.id, ["test", "lint"]);
      expect(flakes).toEqual([{ name: "test", fingerprint: "abc" }]);
    });

    test("an attempt to mend a check counts once for a commit", async () => {
      const { id: taskId } = await store().records.insert("task", task());
      const attempt = { taskId, commit: "c1", check: "test", fingerprint: null, at: 10 };
      await store().checks.attempt([attempt, { ...attempt, commit: "c0", at: 5 }]);
      await store().checks.attempt([{ ...attempt, fingerprint: "late", at: 30 }]);
      expect(await store().checks.attempts(taskId)).toEqual([{ ...attempt, commit: "c0", at: 5 }, attempt]);
    });

    test("evidence is found by its agent and by the claim that it judges", async () => {
      const { id: agentId } = await insertAgent(store());
      const { id: runId } = await store().records.insert("run", run({ agentId }));
      const claim = { agentId, token: 1, kind: "report_complete", payload: {}, createdAt: 5 } as const;
      const intent = await store().intents.add({ ...claim, commit: "c1" });
      const intentId = intent?.id ?? 0;
      const setup = {
        agentId,
        runId,
        intentId: null,
        kind: "setup",
        commit: null,
        command: "npm ci",
        holds: true,
        exitCode: 0,
        timedOut: false,
        output: "",
        durationMs: 3,
        digest: "d",
        missing: null,
        confidence: null,
        createdAt: 6,
      } as const;
      const judged = { ...setup, intentId, kind: "evaluation", holds: false, confidence: 0.25 } as const;
      await store().evidence.add(setup);
      await store().evidence.add(judged);
      expect(await store().evidence.ofAgent(agentId)).toMatchObject([setup, judged]);
      expect(await store().evidence.ofClaim(intentId)).toMatchObject([judged]);
    });

    test("an agent has the pictures of one commit; those of its base are found for another agent of the repository", async () => {
      const { screens } = store();
      const { id: agentId } = await insertAgent(store());
      const { id: later } = await insertAgent(store(), { name: "feat-dev-issue-9", issue: 9 });
      const none = { before: null, after: null, difference: null, changed: null };
      const start = {
        page: "start",
        size: "1280x800",
        before: new Uint8Array([1, 0, 255]),
        after: new Uint8Array([2]),
        difference: new Uint8Array([3]),
        changed: 0.25,
        beforeFault: null,
        afterFault: null,
      };
      const cart = { ...start, ...none, page: "cart", beforeFault: "late", afterFault: "gone" };
      const taken = { commit: "c1", baseCommit: "b1", digest: "d", createdAt: 7 };
      await screens.replace(agentId, { ...taken, commit: "c0", screens: [start, start] });
      await screens.replace(agentId, { ...taken, screens: [start, cart] });
      const { before: _, after: __, difference: ___, ...row } = start;
      const rows = await screens.ofAgent(agentId);
      expect(rows).toMatchObject([
        { ...row, commit: "c1", baseCommit: "b1", digest: "d", agentId, createdAt: 7 },
        { page: "cart", beforeFault: "late", afterFault: "gone", changed: null },
      ]);
      expect(rows.map((one) => "after" in one)).toEqual([false, false]);
      const [first, second] = rows;
      const bytes = async (which: ScreenPicture, of = agentId, at = first?.id ?? 0) => {
        const found = await screens.picture(of, at, which);
        return found === null ? null : [...found];
      };
      expect([await bytes("before"), await bytes("after"), await bytes("difference")]).toEqual([
        [1, 0, 255],
        [2],
        [3],
      ]);
      expect([
        await bytes("after", agentId, second?.id),
        await bytes("after", later),
        await bytes("after", agentId, 0),
      ]).toEqual([null, null, null]);
      const base = { repositoryId: repository.id, baseCommit: "b1", digest: "d" };
      const known = async (of: Partial<typeof base>) =>
        (await screens.before({ ...base, ...of })).map(({ page, before }) => [page, [...before]]);
      expect(await known({})).toEqual([["start", [1, 0, 255]]]);
      await screens.replace(later, { ...taken, screens: [{ ...start, before: new Uint8Array([9]) }] });
      expect(await known({})).toEqual([["start", [9]]]);
      expect([
        await known({ baseCommit: "b2" }),
        await known({ digest: "e" }),
        await known({ repositoryId: 77 }),
      ]).toEqual([[], [], []]);
    });

    test("the last report is the last one that was applied", async () => {
      const { id: agentId } = await insertAgent(store());
      const { intents } = store();
      const claim = { agentId, token: 1, kind: "request_review", payload: {}, createdAt: 5 } as const;
      for (const [commit, state] of [
        ["c1", "applied"],
        ["c2", "refused"],
      ] as const) {
        const intent = await intents.add({ ...claim, commit });
        await intents.settle(intent?.id ?? 0, state, null);
      }
      expect(await intents.lastReport(agentId)).toMatchObject({ commit: "c1" });
    });

    test("a reviewer's verdict is the one that was applied", async () => {
      const { id: agentId } = await insertAgent(store());
      const { id: other } = await insertAgent(store(), { name: "reviewer-issue-9", issue: 9 });
      const { intents } = store();
      for (const [kind, commit, state] of [
        ["submit_verdict", "c1", "refused"],
        ["submit_verdict", "c2", "applied"],
        ["report_complete", "c3", "applied"],
      ] as const) {
        const intent = await intents.add({ agentId, token: 1, kind, payload: {}, commit, createdAt: 5 });
        await intents.settle(intent?.id ?? 0, state, null);
      }
      expect(await intents.verdict(agentId)).toMatchObject({ commit: "c2" });
      expect(await intents.verdict(other)).toBeUndefined();
    });

    test("of a pull request and of an issue's text the last reading is kept", async () => {
      const { seenPulls, issueTexts } = store();
      const pull = { repositoryId: repository.id, pull: 5, openedAt: 10, changedLines: null, asked: [] };
      await seenPulls.put(pull);
      await seenPulls.put({ ...pull, changedLines: 12, asked: ["ada"] });
      expect(await seenPulls.ofRepositories([3, repository.id])).toEqual([
        { ...pull, changedLines: 12, asked: ["ada"] },
      ]);
      const text = {
        repositoryId: repository.id,
        issue: 42,
        title: "T",
        body: "B",
        approvedBy: "ada",
        at: 10,
      };
      await issueTexts.put(text);
      await issueTexts.put({ ...text, body: "C" });
      expect(await issueTexts.of(repository.id, 42)).toEqual({ ...text, body: "C" });
      expect(await issueTexts.of(repository.id, 43)).toBeUndefined();
    });
  });
}
