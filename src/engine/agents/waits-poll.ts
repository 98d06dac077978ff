import { setImmediate } from "node:timers/promises";
import { type AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import type { NewEffect } from "../../domain/kernel/rows.ts";
import { RELEASED } from "../../domain/tasks/on-pull.ts";
import { shutScopes } from "../breakers/shut-scopes.ts";
import { UNDER_REVIEW } from "../checks/refresh-review-checks.ts";
import { reviewRefreshes } from "../checks/review-refreshes.ts";
import { agentEffect, issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { questionPolls } from "../questions/poll.ts";

/**
 * Most issues of one repository that are refreshed at once, so that acts of people and agents do not queue
 * behind thousands.
 */
const AT_ONCE = 200;
/** Issues whose refreshes are added in one transaction, so that the event loop is not blocked for long. */
const IN_ONE = 20;

/** How long after a failure a label is written again. */
const LABEL_WITHIN_MS = 86_400_000;

interface Issue {
  readonly repositoryId: number;
  readonly issue: number;
}

const keyOf = ({ repositoryId, issue }: Issue) => `${repositoryId}#${issue}`;

/**
 * Refreshes, once per `reconcile_every`, each issue where somebody works or waits, with its blockers, checks
 * and question reactions, because a webhook may be lost. Starts with those refreshed longest ago. Keeps only
 * issue numbers between rounds, so sleepers cost almost nothing.
 */
export class WaitsPoll {
  /**
   * Number of the current time slice. Each issue is refreshed once per slice, or as soon as the issues before
   * it are done.
   */
  #slice: number | null = null;
  #left: readonly Issue[] = [];
  /** The slice in which each issue was refreshed last. */
  readonly #refreshedIn = new Map<string, number>();
  /** Blockers that are rechecked in this slice. */
  readonly #asked = new Set<string>();
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const slice = Math.floor(clock.now() / settings.reconcileEveryMs);
    if (slice !== this.#slice) {
      this.#slice = slice;
      this.#asked.clear();
      const issues = await this.#issues();
      await setImmediate();
      this.#left = this.#inOrder(issues);
      await setImmediate();
    }
    if (this.#left.length === 0) return;
    const under = await store.effects.find({ kind: "look_at_issue", state: ["pending", "leased"] });
    // Refreshes that GitHub's rate limits delay run later by themselves and must not block other issues.
    const due = under.filter(({ notBefore }) => notBefore <= clock.now());
    const now = firstOfEach(this.#left, due);
    const taken = new Set(now);
    this.#left = this.#left.filter((issue) => !taken.has(issue));
    if (now.length === 0) return;
    for (const issue of now) this.#refreshedIn.set(keyOf(issue), slice);
    for (let from = 0; from < now.length; from += IN_ONE) {
      const refreshes = await this.#refreshes(now.slice(from, from + IN_ONE), slice);
      await store.transaction(async ({ effects }) => void (await effects.add(refreshes)));
      await setImmediate();
    }
  }

  #inOrder(issues: readonly Issue[]): readonly Issue[] {
    const known = new Set(issues.map(keyOf));
    for (const key of this.#refreshedIn.keys()) if (!known.has(key)) this.#refreshedIn.delete(key);
    const since = issues.map((issue) => ({ issue, last: this.#refreshedIn.get(keyOf(issue)) ?? 0 }));
    return since.toSorted((one, other) => one.last - other.last).map(({ issue }) => issue);
  }

  async #issues(): Promise<readonly Issue[]> {
    const { store } = this.#context;
    const shut = await shutScopes(store);
    const live = await store.records.issues("agent", { state: LIVE_AGENT_STATES });
    // With thousands of sleepers each of these steps takes a while.
    await setImmediate();
    // People may close a pull request after its last agent has ended.
    const released = await store.records.issues("task", { state: RELEASED });
    await setImmediate();
    const found = [...live, ...released, ...(await unlabelled(this.#context))];
    return [...new Map(found.map((issue) => [keyOf(issue), issue])).values()].filter(
      ({ repositoryId }) => !shut.has(repositoryScope(repositoryId)),
    );
  }

  async #refreshes(issues: readonly Issue[], slice: number): Promise<readonly NewEffect[]> {
    const { store, clock } = this.#context;
    const at = clock.now();
    const where = {
      repositoryId: [...new Set(issues.map(({ repositoryId }) => repositoryId))],
      issue: [...new Set(issues.map(({ issue }) => issue))],
    };
    const agents = await readable(store, "agent", { ...where, state: LIVE_AGENT_STATES });
    const tasks = await readable(store, "task", { ...where, state: UNDER_REVIEW });
    const ofAgents = Map.groupBy(agents, keyOf);
    const questions = Map.groupBy(await questionPolls(this.#context, agents, { slice, at }), keyOf);
    const reviews = Map.groupBy(reviewRefreshes(tasks, { slice, at }), keyOf);
    return issues.flatMap((issue) => {
      const key = keyOf(issue);
      const refresh = { ...of(issue, { kind: "look_at_issue" }, at), key: `issue-poll:${key}:${slice}` };
      const mine = ofAgents.get(key) ?? [];
      const waits = mine.flatMap((agent) => waitsOf(agent, { slice, at, asked: this.#asked }));
      return [refresh, ...waits, ...(questions.get(key) ?? []), ...(reviews.get(key) ?? [])];
    });
  }
}

/** Returns the first issues of each repository, up to the limit minus the refreshes that are due already. */
function firstOfEach(issues: readonly Issue[], due: readonly Issue[]): readonly Issue[] {
  const counts = new Map<number, number>();
  const count = ({ repositoryId }: Issue): number => {
    const counted = (counts.get(repositoryId) ?? 0) + 1;
    counts.set(repositoryId, counted);
    return counted;
  };
  for (const refresh of due) count(refresh);
  return issues.filter((issue) => count(issue) <= AT_ONCE);
}

/**
 * Returns the issues whose label could not be written recently: the label must be corrected although nobody
 * works there any more.
 */
async function unlabelled({ store, clock }: EngineContext): Promise<readonly Issue[]> {
  const settledAt = { above: clock.now() - LABEL_WITHIN_MS };
  return store.effects.find({ kind: "task_label", state: "failed", settledAt });
}

const of = (
  { repositoryId, issue }: Issue,
  effect: Parameters<typeof issueEffect>[0]["effect"],
  at: number,
) => issueEffect({ repositoryId, issue, effect, at });

/**
 * Returns the rechecks for what the agent waits for. A blocker that several agents of its repository wait for
 * is checked once; `asked` holds those already checked.
 */
function waitsOf(
  agent: AgentRecord,
  { slice, at, asked }: { readonly slice: number; readonly at: number; readonly asked: Set<string> },
): readonly NewEffect[] {
  const { id: agentId, repositoryId, issue, state, sleepReason } = agent;
  const blockers = () => ({
    ...of(agent, { kind: "look_at_blockers", repositoryId, issue }, at),
    key: `blockers-poll:${agentId}:${slice}`,
  });
  if (state === "CREATED") return [blockers()];
  if (state !== "SLEEPING") return [];
  if (sleepReason === "checks")
    return [
      { ...of(agent, { kind: "look_at_checks", agentId }, at), key: `checks-poll:${agentId}:${slice}` },
    ];
  if (sleepReason !== "blocked") return [];
  const fresh = agent.blockedBy.filter((blocker) => !asked.has(keyOf({ repositoryId, issue: blocker })));
  for (const blocker of fresh) asked.add(keyOf({ repositoryId, issue: blocker }));
  const here = fresh.map((blocker): Effect => ({ kind: "recheck_blocker", blocker }));
  const elsewhere = agent.blockedElsewhere.map(
    (one): Effect => ({ kind: "recheck_blocker", blocker: one.number, repositoryId: one.repositoryId }),
  );
  return [
    ...[...here, ...elsewhere].map((effect, index) =>
      agentEffect(agent, effect, `blocker-poll:${agentId}:${agent.token}:${index}:${slice}`, at),
    ),
    blockers(),
  ];
}
