import { z } from "zod";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  factsThatMatter,
  type PullFactsShown,
  renewedBody,
  showsAcceptance,
} from "../../domain/tasks/pull-facts.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { pullFactsOf } from "./pull-facts.ts";

/** Stays with the effect that wrote the facts: the digest of what matters in them, and whether they name acceptance commands. */
const written = z.object({ facts: z.string(), acceptance: z.boolean() });

/**
 * Renews the host's facts in the body of the agent's pull request and changes nothing else; skips a closed
 * one. Asks GitHub nothing where the agent's last text says all that matters.
 */
export const pullFacts: Executor<"pull_facts"> = async (execution) => {
  const { context, repository } = execution;
  const agent = agentOf(execution);
  if (agent.prNumber === null) return { result: { written: false } };
  const { github } = context;
  const before = await lastWritten(context, agent);
  const known = await pullFactsOf(context, repository, agent, null);
  if (before !== null && before.facts === digestOf(context, known, before))
    return { result: { written: false, ...before } };
  const files = await github.pullRequestFiles(repository, agent.prNumber);
  const facts = await pullFactsOf(context, repository, agent, files);
  // Read right before the write, so that little can change in between.
  const pull = await github.pullRequest(repository, agent.prNumber);
  const body = pull.state === "open" ? renewedBody(pull.body, facts) : null;
  if (body !== null) await github.setPullRequestBody(repository, pull.number, body);
  return { result: { written: body !== null, ...factsWritten(context, facts) } };
};

/** Returns what an effect keeps that has just written these facts. */
export function factsWritten(
  context: Pick<EngineContext, "digest">,
  facts: PullFactsShown,
): z.output<typeof written> {
  const acceptance = showsAcceptance(facts);
  return { facts: digestOf(context, facts, { acceptance }), acceptance };
}

function digestOf(
  { digest }: Pick<EngineContext, "digest">,
  facts: PullFactsShown,
  shown: { readonly acceptance: boolean },
): string {
  return digest(factsThatMatter(facts, shown));
}

/** Returns what the agent's last effect kept that wrote the facts; null where none did. */
async function lastWritten({ store }: EngineContext, { id: agentId }: AgentRecord) {
  const done = await Promise.all(
    (["open_pr", "pull_facts"] as const).map((kind) => store.effects.find({ agentId, kind, state: "done" })),
  );
  const newest = done.flat().toSorted((one, other) => (other.settledAt ?? 0) - (one.settledAt ?? 0));
  for (const { result } of newest) {
    const kept = written.safeParse(result);
    if (kept.success) return kept.data;
  }
  return null;
}
