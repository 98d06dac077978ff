import { describe, expect, test } from "vitest";
import { AGENT_STATES, type AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { AgentSearch } from "../../../src/domain/agents/agent-search.ts";
import type { OfRepositories } from "../../../src/domain/ports/lists.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { agent, delivery, effect, repository, run, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const PAGE = { after: null, limit: 10 };
const ALL = { repositories: null };
const HERE = { repositoryId: repository.id, issues: null };
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

const issuesOf = (rows: readonly { readonly row: { readonly agent: AgentRecord } }[]) =>
  rows.map(({ row }) => row.agent.issue);

export function listContract(open: () => Promise<Store>): void {
  describe("lists", () => {
    const store = fresh(open);
    const add = (issue: number, fields: Partial<AgentRecord> = {}) =>
      store().records.insert("agent", agent({ issue, ...fields }));

    test("agents come by id, or by states and within one by age, with the phase of their run", async () => {
      const late = await add(1, { createdAt: 20 });
      await add(2, { createdAt: 10 });
      const asleep = await add(3, { state: "SLEEPING", sleepReason: "blocked", sleepingSince: 5 });
      await store().repositories.put(OTHER);
      await add(4, { repositoryId: OTHER.id });
      await store().records.insert("run", { ...run({ agentId: late.id }), state: "planning" });
      const { lists } = store();
      const all = await lists.agents({ states: null, repositories: [repository.id] }, PAGE);
      expect(issuesOf(all)).toEqual([1, 2, 3]);
      expect(all[0]?.row.phase).toBe("planning");
      const states = ["SLEEPING", "CREATED"] as const;
      const first = await lists.agents({ states, ...ALL }, { after: null, limit: 2 });
      expect(issuesOf(first)).toEqual([3, 2]);
      const after = first.at(-1)?.position ?? null;
      expect(issuesOf(await lists.agents({ states, ...ALL }, { after, limit: 9 }))).toEqual([1, 4]);
      expect((await lists.agentNamed(repository.id, asleep.name.toUpperCase()))?.id).toBe(asleep.id);
      expect(await lists.agentCounts()).toHaveLength(3);
    });

    test("agents come by tag, by who caused them in any case of letters, by role and by state", async () => {
      const one = await add(1, { tags: ["ui"], labels: ["team=a"] });
      await add(2, { tags: ["ui"], mode: "one_shot" });
      await add(3, { role: "triage" });
      await store().transitions.add({ ...moved, recordId: one.id, agentId: one.id });
      const like = async (filter: Parameters<ReturnType<typeof store>["lists"]["agentsLike"]>[0]["filter"]) =>
        issuesOf((await store().lists.agentsLike({ filter, ...ALL }, PAGE)).rows);
      expect(await like({ tags: ["ui"] })).toEqual([1, 2]);
      expect(await like({ tags: ["ui"], labels: ["team=a"] })).toEqual([1]);
      expect(await like({ by: "aDA" })).toEqual([1]);
      expect(await like({ tags: ["ui"], by: "ada" })).toEqual([1]);
      expect(await like({ mode: "one_shot" })).toEqual([2]);
      expect(await like({ state: { agent: "CREATED", run: null, session: null }, role: "triage" })).toEqual([
        3,
      ]);
    });

    test("agents are searched by issue, title, role, repository and person, in three orders", async () => {
      const one = await add(41, { costMicroUsd: 30 });
      await add(2, { role: "triage", state: "COMPLETED", endedAt: 9, costMicroUsd: 90 });
      await store().repositories.put(OTHER);
      await add(410, { repositoryId: OTHER.id, costMicroUsd: 30 });
      await store().transitions.add({ ...moved, recordId: one.id, agentId: one.id });
      await store().records.insert("task", task({ issue: 2, title: "Pay 100%_\\ of the Price" }));
      await store().records.insert("task", task({ issue: 41, title: "Ärger beim ÖFFNEN, Исправить" }));
      const searched = async (
        text: string,
        wanted: Partial<AgentSearch> = {},
        repositories: OfRepositories = null,
      ) => {
        const words = text
          .split(" ")
          .filter((word) => word !== "")
          .map((word) => ({ text: word, repositories: word === "shuttle" ? [OTHER.id] : [] }));
        const search = { states: AGENT_STATES, role: null, order: "latest" as const, ...wanted, words };
        const { rows } = await store().lists.searchedAgents({ search, repositories }, PAGE);
        return rows.map(({ row }) => row.issue);
      };
      expect(await searched("")).toEqual([410, 2, 41]);
      expect(await searched("", { order: "oldest" })).toEqual([41, 2, 410]);
      expect(await searched("", { order: "costliest" })).toEqual([2, 410, 41]);
      expect(await searched("41")).toEqual([41]);
      expect(await searched("price")).toEqual([2]);
      for (const text of ["100%_\\", "pay price", "riag"]) expect(await searched(text)).toEqual([2]);
      for (const text of ["1000", "p_y", "price 41", "41 nobody"]) expect(await searched(text)).toEqual([]);
      // SQLite itself knows no capital letters but A to Z.
      for (const text of ["ärger", "öffnen", "исправить", "rger"]) expect(await searched(text)).toEqual([41]);
      expect(await searched("ärge öl")).toEqual([]);
      expect(await searched("shuttle")).toEqual([410]);
      expect(await searched("ada")).toEqual([41]);
      expect(await searched("", { role: "triage" })).toEqual([2]);
      expect(await searched("", { states: ["CREATED"] })).toEqual([410, 41]);
      expect(await searched("", { states: ["COMPLETED", "FAILED"] })).toEqual([2]);
      expect(await searched("", {}, [OTHER.id])).toEqual([410]);
    });

    test("who waits for a person: agents, then work that no agent is at, and how many", async () => {
      await add(1, { state: "ESCALATED", sleepingSince: 5 });
      await add(2, { state: "SLEEPING", sleepReason: "blocked", sleepingSince: 5 });
      await add(3, { state: "SLEEPING", sleepReason: "blocked", sleepingSince: 7, heldBy: ["person"] });
      const sleeper = await add(4, { state: "SLEEPING", sleepReason: "approval", sleepingSince: 8 });
      await store().records.insert("task", { ...task({ issue: 5 }), state: "APPROVED" });
      const { lists } = store();
      const waiting = await lists.waiting(null, PAGE);
      expect(waiting.map(({ row }) => ("agent" in row ? row.agent.issue : row.task.issue))).toEqual([
        1, 3, 4, 5,
      ]);
      expect(await lists.waitingWork(repository.id, 5)).toMatchObject({ task: { issue: 5 }, pull: null });
      expect(await lists.waitingWork(repository.id, 4)).toBeUndefined();
      // A call about which a person has answered is none that waits for one.
      expect(await lists.waitingCounts()).toEqual([{ repositoryId: repository.id, count: 3, merges: 1 }]);
      for (const hash of ["a", "b"])
        await store().approvals.ask({
          agentId: sleeper.id,
          token: sleeper.token,
          kind: "network",
          detail: "curl",
          tool: "bash",
          input: "{}",
          hash,
          createdAt: 1,
        });
      expect(await lists.waitingCounts()).toMatchObject([{ count: 5 }]);
    });

    test("tasks come with the names around them, one page behind another", async () => {
      const coder = await add(1, { prNumber: 9, createdAt: 1, coder: true });
      await add(2, { role: "triage", createdAt: 2 });
      for (const issue of [1, 2])
        await store().records.insert("task", task({ issue, assigneeId: issue === 1 ? coder.id : null }));
      const { lists } = store();
      const [first] = await lists.tasks({ state: null, ...ALL }, { after: null, limit: 1 });
      expect(first?.row).toMatchObject({
        task: { issue: 1 },
        agent: coder.name,
        pull: 9,
        isReviewed: false,
        hasCoder: true,
        coderState: "CREATED",
        sprint: null,
        live: { name: coder.name, state: "CREATED", phase: null, startsAt: null, place: 1, why: null },
      });
      const after = first?.position ?? null;
      const rest = await lists.tasks({ state: "UNCLAIMED", ...ALL }, { after, limit: 9 });
      expect(rest.map(({ row }) => [row.task.issue, row.isReviewed, row.live?.place])).toEqual([
        [2, true, 2],
      ]);
      const latest = await lists.tasks({ state: null, latestFirst: true, ...ALL }, PAGE);
      expect(latest.map(({ row }) => row.task.issue)).toEqual([2, 1]);
      const some = await lists.tasksOfIssues(repository.id, [2, 3]);
      expect(some.map(({ task: { issue } }) => issue)).toEqual([2]);
      expect(await lists.taskCounts()).toEqual([
        { repositoryId: repository.id, state: "UNCLAIMED", count: 2 },
      ]);
    });

    test("what lived, gave up and ended since a time", async () => {
      await add(1, { state: "FAILED", endedAt: 5 });
      await add(2, { state: "COMPLETED", endedAt: 9 });
      await add(3, { state: "CANCELLED", endedAt: 9 });
      await add(4);
      const { lists } = store();
      expect((await lists.lived(HERE, 6, 10)).map(({ issue }) => issue)).toEqual([4, 3, 2]);
      expect(await lists.lived({ ...HERE, issues: [1, 2] }, 5, 1)).toMatchObject([{ issue: 2 }]);
      expect(new Set(await lists.gaveUp(HERE, 5))).toEqual(new Set([5, 9]));
      expect(await lists.gaveUp({ ...HERE, issues: [1] }, 5)).toEqual([5]);
      const [first] = await lists.ended(null, 5, { after: null, limit: 1 });
      expect(first?.row.issue).toBe(3);
      const rest = await lists.ended([repository.id], 5, { after: first?.position ?? null, limit: 9 });
      expect(rest.map(({ row }) => row.issue)).toEqual([2, 1]);
    });

    test("what stands around agents: runs, sleep, parents, holds and merges that they wait for", async () => {
      const parent = await add(1, { state: "COMPLETED", endedAt: 9, prNumber: 3 });
      await store().records.insert("task", { ...task({ issue: 1 }), state: "APPROVED" });
      const child = await add(2, {
        state: "SLEEPING",
        sleepReason: "blocked",
        sleepingSince: 5,
        blockedBy: [1],
        parentAgentId: parent.id,
        heldBy: ["person"],
      });
      await store().records.insert("task", task({ issue: 2, title: "Second" }));
      await store().transitions.add({
        ...moved,
        issue: 2,
        recordId: child.id,
        agentId: child.id,
        event: "WAIT",
      });
      await store().scopePauses.add({ scope: "all", holder: "person", by: "ada", reason: null, since: 1 });
      const { lists } = store();
      const around = (await lists.around([child])).get(child.id);
      expect(around).toMatchObject({
        run: null,
        title: "Second",
        slept: { event: "WAIT" },
        task: "UNCLAIMED",
        parent: parent.name,
        isReviewed: false,
        hasSuccessor: false,
        merges: [{ issue: "#1", pull: "#3" }],
      });
      expect(around?.holds).toHaveLength(2);
      expect((await lists.holds([parent, child])).get(child.id)).toEqual(around?.holds);
    });

    test("moves, effects, decisions and deliveries come page by page", async () => {
      const { id: agentId } = await add(42);
      for (const to of ["ACTIVE", "SLEEPING"])
        await store().transitions.add({ ...moved, recordId: agentId, agentId, event: "START", to });
      await store().effects.add([effect({ key: "a", agentId }), effect({ key: "b" })]);
      const about = { at: 1, repositoryId: 7, issue: 42, change: null, inputs: {}, delivery: null } as const;
      await store().decisions.add({ ...about, agentId, rule: "slot", reason: "full" });
      await store().decisions.add({ ...about, agentId: null, rule: "held", reason: "paused" });
      await store().deliveries.insert([delivery({ guid: "g1" }), delivery({ guid: "g2" })]);
      // A list may be behind the inbox until somebody looks there.
      await store().deliveries.known(["g1"]);
      const { lists } = store();
      expect(await lists.agentMoves([agentId])).toEqual([
        { agentId, at: 10, to: "ACTIVE" },
        { agentId, at: 10, to: "SLEEPING" },
      ]);
      const [move] = await lists.transitions({ agentId, latestFirst: true }, PAGE);
      expect(move?.row.to).toBe("SLEEPING");
      expect(await lists.transitions(ALL, { after: null, limit: 1 })).toMatchObject([
        { row: { to: "ACTIVE" } },
      ]);
      const effects = await lists.effects({ states: ["pending", "done"], ...ALL }, PAGE);
      expect(effects.map(({ row }) => [row.effect.key, row.agent])).toEqual([
        ["b", null],
        ["a", "feat-dev-issue-42"],
      ]);
      expect(await lists.effectsOfAgent(agentId, PAGE)).toHaveLength(1);
      const decided = await lists.decisions({ repositoryId: repository.id, issue: 42 }, PAGE);
      expect(decided.map(({ row }) => row.rule)).toEqual(["held", "slot"]);
      const [latest] = await lists.deliveries({ state: "pending", ...ALL }, { after: null, limit: 1 });
      expect(latest?.row).toMatchObject({ guid: "g2", payload: "" });
      const after = latest?.position ?? null;
      expect(await lists.deliveries({ state: null, ...ALL }, { after, limit: 9 })).toHaveLength(1);
    });

    test("notices come apart from other effects, and of each schedule its last time", async () => {
      await store().repositories.put(repository);
      const begun = { kind: "open_scheduled", schedule: "daily", begun: 1 } as const;
      await store().effects.add([
        effect({ key: "a", payload: { kind: "notify", receiver: "team", event: "ready" } }),
        effect({ key: "b" }),
        effect({ key: "c", lane: "issue:7#schedule:daily", payload: begun }),
        effect({ key: "d", lane: "issue:7#schedule:daily", payload: begun }),
        effect({ key: "e", lane: "issue:7#schedule:weekly", payload: begun }),
      ]);
      const { lists } = store();
      const keys = async (notices: boolean) =>
        (await lists.effects({ states: ["pending"], ...ALL, notices }, PAGE)).map(
          ({ row }) => row.effect.key,
        );
      expect([await keys(true), await keys(false)]).toEqual([["a"], ["e", "d", "c", "b"]]);
      const lanes = ["issue:7#schedule:daily", "issue:7#schedule:weekly", "issue:7#schedule:none"];
      expect((await lists.lastScheduled(lanes)).map(({ key }) => key).toSorted()).toEqual(["d", "e"]);
      expect(await lists.lastScheduled([])).toEqual([]);
    });

    test("the cost of work is summed by repository", async () => {
      const { id: agentId } = await add(1);
      const usage = { agentId, model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
      for (const day of [0, 1, 2])
        await store().usage.add({ ...usage, costMicroUsd: 5, at: day * 86_400_000 });
      expect(await store().lists.costs(1)).toEqual([{ repositoryId: repository.id, costMicroUsd: 10 }]);
    });
  });
}
