import type { Missing } from "../../core/evidence/missing.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { EvidenceRow } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import type { Claim } from "./judge.ts";

/** One thing that a claim lacked, as it is kept. */
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
