import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Missing } from "../../domain/evidence/missing.ts";
import type { EvidenceRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Claim } from "./judge.ts";

/** Returns the row for one thing that a claim lacks. */
export function missingRow(
  judged: {
    readonly context: EngineContext;
    readonly agent: AgentRecord;
    readonly run: { readonly id: number };
    readonly claim: Claim;
  },
  missing: Missing,
): Omit<EvidenceRow, "id"> {
  const { context, agent, run, claim } = judged;
  return {
    agentId: agent.id,
    runId: run.id,
    intentId: claim.row.id,
    kind: "missing",
    commit: claim.row.commit,
    command: null,
    holds: false,
    exitCode: null,
    timedOut: false,
    output: "",
    durationMs: null,
    digest: null,
    missing,
    confidence: null,
    createdAt: context.clock.now(),
  };
}
