import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { notOwnFailure } from "../../domain/checks/not-own-failure.ts";
import { missingSentence } from "../../domain/evidence/missing.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { checkBlockReport } from "../blockers/check-block-report.ts";
import { claimOf, type Judgement, judge } from "../evidence/judge.ts";
import { agentMove, note } from "../kernel/advance-agent.ts";
import { baseOfAgent } from "../kernel/base-of.ts";
import type { Executor, Outcome } from "../outbox/execution.ts";
import { excused } from "./refresh-review-checks.ts";

/**
 * Reads whether the checks that an agent sleeps for have ended. Green checks complete the agent while it
 * sleeps; any other result wakes it. An agent that was escalated because the checks took too long continues
 * by its wake.
 */
export const refreshChecks: Executor<"look_at_checks"> = async ({ context, repository, effect }) => {
  const agent = await context.store.records.get("agent", effect.agentId);
  const role = agent === undefined ? undefined : context.roleOf(agent);
  if (agent === undefined || role === undefined || !waitsForChecks(agent)) return { result: null };
  const claim = claimOf(await checkBlockReport(context, agent));
  if (claim?.wanted !== "completion") return { result: null };
  const { row, summary } = claim;
  const judgement = await judge(context, agent, role, { ...claim, signal: null });
  const at = context.clock.now();
  const wake = (detail: string): Outcome => ({
    result: { detail },
    changes: {
      wakes: [
        {
          // The token in the key allows one wake per sleep.
          key: `checks:${agent.id}:t${agent.token}`,
          agentId: agent.id,
          reason: "checks",
          detail,
          grant: null,
          dueAt: at,
        },
      ],
    },
  });
  switch (judgement.kind) {
    case "undecided":
      return { result: null };
    case "pending":
      return pending(await baseOfAgent(context, repository, agent), agent, row.commit ?? "", judgement);
    case "lacking":
      return wake(judgement.missing.map(missingSentence).join(" "));
    case "held":
      return wake("a person is asked about the tests next");
    case "unevaluated":
      return wake("all are green, and the evaluator is asked next");
    case "holds":
      if (agent.state !== "SLEEPING") return wake("all are green");
      return {
        result: { green: true },
        changes: {
          moves: [
            agentMove(agent, {
              type: "COMPLETE",
              at,
              actor: "flotilla",
              cause: "evidence",
              summary,
              confidence: judgement.confidence,
            }),
          ],
        },
        also: async (tables) => {
          await stillAsleep(tables, agent);
          await note(tables, agent.id, row.commit === null ? {} : { headCommit: row.commit });
          await tables.intents.settle(row.id, "applied", null);
        },
      };
  }
};

/** Records what else the pending checks wait for; wakes nobody. */
function pending(
  base: string,
  agent: AgentRecord,
  commit: string,
  { checks, commitChecks }: Extract<Judgement, { kind: "pending" }>,
): Outcome {
  const { verdict, red } = commitChecks;
  return {
    result: { pending: checks, verdict },
    changes: notOwnFailure(verdict, { commit, agentId: agent.id, base, red }),
    also: (tables) => tables.checks.excuse(excused(verdict, red)),
  };
}

/** Returns whether the agent's claim is recorded and only checks are missing. */
function waitsForChecks(agent: AgentRecord): boolean {
  return agent.state === "SLEEPING"
    ? agent.sleepReason === "checks"
    : agent.state === "ESCALATED" && agent.category === "expired";
}

/**
 * Throws `StaleSnapshot` when the agent was woken while GitHub was read: then this result must not complete
 * it.
 */
async function stillAsleep(tables: Tables, agent: AgentRecord): Promise<void> {
  const now = await tables.records.get("agent", agent.id);
  if (now?.state !== "SLEEPING" || now.token !== agent.token) throw new StaleSnapshot("agent", agent.id);
}
