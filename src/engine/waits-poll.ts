import type { Effect } from "../core/effect.ts";
import { type AgentRecord, LIVE_AGENT_STATES } from "../core/machines/agent-record.ts";
import { RELEASED } from "../core/reactions/on-pull.ts";
import type { NewEffect } from "../core/rows.ts";
import { repositoryScope, type Scope, type ScopeHolder, SHUT_HOLDERS } from "../core/scope.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect, issueEffect } from "./effect-rows.ts";
import { questionLooks } from "./questions/poll.ts";

/** Looks at issues that wait in the outbox at most: what people and agents do is not behind thousands of them. */
const AT_ONCE = 200;

interface Issue {
  readonly repositoryId: number;
  readonly issue: number;
}

/** An issue to be looked at, and what else of GitHub its agents wait for. */
interface Look extends Issue {
  readonly effects: readonly NewEffect[];
}

const keyOf = ({ repositoryId, issue }: Issue) => `${repositoryId}#${issue}`;

/**
 * Looks once each `reconcile_every` at the issues where somebody works or waits, and at what they wait for, blockers,
 * checks and reactions to questions: a webhook is a hint that may never come. Those looked at longest ago come first.
 */
export class WaitsPoll {
  /** The time is cut into slices; each issue is looked at once in each, or as soon as the ones before are through. */
  #last: number | null = null;
  #left: readonly Look[] = [];
  /** The round in which each issue was looked at last. */
  readonly #looked = new Map<string, number>();
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const slice = Math.floor(clock.now() / settings.reconcileEveryMs);
    if (slice !== this.#last) {
      this.#last = slice;
      this.#left = this.#inOrder(await this.#looks(slice));
    }
    if (this.#left.length === 0) return;
    const under = await store.effects.find({ kind: "look_at_issue", state: ["pending", "leased"] });
    const now = this.#left.slice(0, Math.max(0, AT_ONCE - under.length));
    this.#left = this.#left.slice(now.length);
    for (const look of now) this.#looked.set(keyOf(look), slice);
    await store.effects.add(now.flatMap(({ effects }) => effects));
  }

  #inOrder(looks: readonly Look[]): readonly Look[] {
    const known = new Set(looks.map(keyOf));
    for (const key of this.#looked.keys()) if (!known.has(key)) this.#looked.delete(key);
    const last = (look: Look) => this.#looked.get(keyOf(look)) ?? 0;
    return looks.toSorted((one, other) => last(one) - last(other));
  }

  async #looks(slice: number): Promise<readonly Look[]> {
    const { store, clock } = this.#context;
    const at = clock.now();
    const shut = await shutScopes(store);
    const isOpen = ({ repositoryId }: Issue) => !shut.has(repositoryScope(repositoryId));
    const agents = (await store.records.find("agent", { state: LIVE_AGENT_STATES })).filter(isOpen);
    // People may end their pull request when no agent lives any more.
    const tasks = (await store.records.find("task", { state: RELEASED })).filter(isOpen);
    const issues = Map.groupBy<string, Issue>([...agents, ...tasks], keyOf);
    const ofAgents = Map.groupBy(agents, keyOf);
    const questions = Map.groupBy(await questionLooks(this.#context, slice, at), keyOf);
    const asked = new Set<string>();
    return [...issues].flatMap(([key, [issue]]) => {
      if (issue === undefined) return [];
      const mine = ofAgents.get(key) ?? [];
      const look = { ...of(issue, { kind: "look_at_issue" }, at), key: `issue-poll:${key}:${slice}` };
      const waits = mine.flatMap((agent) => waitsOf(agent, { slice, at, asked }));
      const effects = [look, ...waits, ...(questions.get(key) ?? [])];
      return [{ repositoryId: issue.repositoryId, issue: issue.issue, effects }];
    });
  }
}

const of = (
  { repositoryId, issue }: Issue,
  effect: Parameters<typeof issueEffect>[0]["effect"],
  at: number,
) => issueEffect({ repositoryId, issue, effect, at });

/** Repositories where GitHub is not asked: what was asked there would only pile up. */
async function shutScopes({ scopePauses }: EngineContext["store"]): Promise<ReadonlySet<Scope>> {
  const holders: readonly ScopeHolder[] = SHUT_HOLDERS;
  const pauses = await scopePauses.list();
  return new Set(pauses.filter(({ holder }) => holders.includes(holder)).map(({ scope }) => scope));
}

/** What the agent waits for; a blocker of its repository that several wait for is `asked` after once. */
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
