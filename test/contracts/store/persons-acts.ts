import { describe, expect, test } from "vitest";
import type { Position } from "../../../src/domain/ports/lists.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { CLOSED_BY } from "../../../src/domain/questions/approval.ts";
import { insertAgent, repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const PAGE = { after: null, limit: 10 };
const ALL = { repositories: null };
const OTHER = { ...repository, id: 8, name: "shuttle" };

const moved = {
  at: 10,
  machine: "agent",
  repositoryId: repository.id,
  issue: 42,
  actor: "Ada",
  event: "CREATE",
  from: "CREATED",
  to: "CREATED",
  reason: null,
  evidence: null,
  delivery: null,
} as const;

export function personsActContract(open: () => Promise<Store>): void {
  describe("acts of people", () => {
    const store = fresh(open);
    const add = (issue: number) => insertAgent(store(), { issue });

    test("what people did comes the latest first, by kind, person and repository, page by page", async () => {
      await store().repositories.put(OTHER);
      const { id: agentId } = await add(42);
      const move = { ...moved, recordId: agentId, agentId };
      for (const event of ["CREATE", "PAUSE"])
        await store().transitions.add({ ...move, event, delivery: "g" });
      await store().transitions.add({ ...move, at: 5, actor: "flotilla", event: "PAUSE" });
      await store().transitions.add({ ...move, at: 5, actor: "ci[bot]", event: "PAUSE" });
      await store().transitions.add({ ...move, at: 5, machine: "run", event: "PAUSE" });
      await store().transitions.add({
        ...move,
        at: 30,
        machine: "task",
        event: "MERGE",
        repositoryId: OTHER.id,
      });
      const about = { repositoryId: repository.id, issue: null, agentId: null, change: null } as const;
      const replayed = { ...about, at: 20, rule: "replayed", reason: "again", delivery: null } as const;
      await store().decisions.add({ ...replayed, inputs: { by: "operator:ops" } });
      await store().decisions.add({ ...replayed, at: 21, reason: "by nobody", inputs: {} });
      const { lists } = store();
      const acts = async (wanted: Partial<Parameters<typeof lists.personsActs>[0]>, page = PAGE) =>
        (await lists.personsActs({ kind: null, by: null, ...ALL, ...wanted }, page)).map(({ row }) => row);
      expect(await acts({})).toMatchObject([
        { at: 30, by: "Ada", kind: "merge", repositoryId: OTHER.id },
        { at: 20, by: "operator:ops", kind: "retry", via: "command line", issue: null, detail: "again" },
        { at: 10, by: "Ada", kind: "pause", agent: "feat-dev-issue-42", via: "github" },
        { at: 10, by: "Ada", kind: "start", issue: 42 },
      ]);
      expect(await acts({ by: "ada", repositories: [repository.id] })).toHaveLength(2);
      expect(await acts({ by: "OPERATOR:ops" })).toHaveLength(1);
      expect(await acts({ kind: "start" })).toMatchObject([{ kind: "start" }]);
      expect(await acts({ kind: "schedule" })).toEqual([]);
      expect(await acts({ repositories: [] })).toEqual([]);
      const seen: unknown[] = [];
      for (let after: Position | null = null; seen.length < 4; ) {
        const [next] = await lists.personsActs({ kind: null, by: null, ...ALL }, { after, limit: 1 });
        if (next === undefined) break;
        seen.push(next.row);
        after = next.position;
      }
      expect(seen).toEqual(await acts({}));
    });

    test("approvals, answers and raised budgets are acts of people", async () => {
      const { id: agentId } = await add(42);
      const { approvals, questions, budget, lists } = store();
      const call = { agentId, token: 1, kind: "network", detail: "d", tool: "bash", input: "{}" } as const;
      for (const [at, hash] of ["a", "b"].entries()) await approvals.ask({ ...call, hash, createdAt: at });
      const [first, second] = await approvals.asked(agentId, 1);
      const decided = { by: "ada", reason: null } as const;
      await approvals.decide({ ...decided, id: first?.id ?? 0, state: "granted" }, 20);
      await approvals.decide(
        { ...decided, id: second?.id ?? 0, state: "denied", reason: "too risky", onGitHub: true },
        30,
      );
      await approvals.ask({ ...call, hash: "c", createdAt: 3 });
      await approvals.close(agentId, { by: CLOSED_BY, reason: "its agent has ended", at: 31 });
      const asked = { recommended: null, defaultOption: null, deadlineAt: 90, askedOf: [], createdAt: 10 };
      const question = await questions.add({ agentId, text: "Which?", options: [], ...asked });
      const answer = { agentId, question: question.id, text: "the left one", by: "bob", url: null };
      await questions.answer({ ...answer, via: "reply" }, 40);
      const grant = { repositoryId: repository.id, grantedBy: "eve", issue: 42, day: 1, agents: 3 };
      await budget.grant({ ...grant, costMicroUsd: 5_000_000, at: 50 });
      const acts = async (kind: "approve" | "deny" | "answer" | "limit") =>
        (await lists.personsActs({ kind, by: null, ...ALL }, PAGE)).map(({ row }) => row);
      const place = { repositoryId: repository.id, issue: 42 };
      const ofAgent = { ...place, agent: "feat-dev-issue-42" };
      expect(await acts("approve")).toEqual([
        {
          ...ofAgent,
          at: 20,
          by: "ada",
          kind: "approve",
          what: "approved a call of `bash` by",
          detail: null,
          via: null,
        },
      ]);
      expect(await acts("deny")).toMatchObject([{ ...ofAgent, at: 30, detail: "too risky", via: "github" }]);
      expect(await acts("answer")).toMatchObject([{ ...ofAgent, at: 40, by: "bob", detail: "the left one" }]);
      expect(await acts("limit")).toMatchObject([{ ...place, at: 50, by: "eve", agent: null }]);
    });
  });
}
