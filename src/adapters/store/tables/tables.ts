import type { Kysely } from "kysely";
import type { Tables } from "../../../domain/ports/store.ts";
import { listTable } from "../lists/lists.ts";
import { replayInputTable } from "../replay/inputs.ts";
import { retentionTable } from "../retention/retention.ts";
import type { Schema } from "../sql/schema.ts";
import { approvalTable } from "./approvals.ts";
import { archiveTable } from "./archives.ts";
import { blockersTable } from "./blockers.ts";
import { checkpointTable } from "./checkpoints.ts";
import { checkTable } from "./checks.ts";
import { conversationTable } from "./conversations.ts";
import { decisionTable } from "./decisions.ts";
import { deliveryTable } from "./deliveries.ts";
import { effectTable } from "./effects.ts";
import { evidenceTable } from "./evidence.ts";
import { incidentTable } from "./incidents.ts";
import { intentTable } from "./intents.ts";
import { keptSecretTable } from "./kept-secrets.ts";
import { ledgerTable } from "./ledger.ts";
import { loneOpeningTable } from "./lone-openings.ts";
import { nodeTable, roundTable } from "./nodes.ts";
import { providerParkTable, scopePauseTable, signOutTable, sweepTable } from "./pauses.ts";
import { planTable } from "./plans.ts";
import { handoffTable, progressTable } from "./progress.ts";
import { issueTextTable, seenPullTable } from "./pulls.ts";
import { questionTable } from "./questions.ts";
import { recordTable } from "./records.ts";
import { repositoryFileTable, repositoryTable } from "./repositories.ts";
import { runEventTable } from "./run-events.ts";
import { screenTable } from "./screens.ts";
import { appIdentityTable, tokenRequestTable } from "./token-requests.ts";
import { toolCallTable } from "./tool-calls.ts";
import { transitionTable } from "./transitions.ts";
import { backlogTable, dayBudgetTable, usageTable } from "./usage.ts";
import { verdictTable } from "./verdicts.ts";
import { wakeTable } from "./wakes.ts";

/** Returns all tables on one connection, which may be in a transaction. */
export function tablesOn(db: Kysely<Schema>): Tables {
  return {
    records: recordTable(db),
    transitions: transitionTable(db),
    decisions: decisionTable(db),
    effects: effectTable(db),
    wakes: wakeTable(db),
    intents: intentTable(db),
    evidence: evidenceTable(db),
    screens: screenTable(db),
    verdicts: verdictTable(db),
    deliveries: deliveryTable(db),
    repositories: repositoryTable(db),
    approvals: approvalTable(db),
    plans: planTable(db),
    questions: questionTable(db),
    scopePauses: scopePauseTable(db),
    toolCalls: toolCallTable(db),
    retention: retentionTable(db),
    runEvents: runEventTable(db),
    usage: usageTable(db),
    ledger: ledgerTable(db),
    lists: listTable(db),
    loneOpenings: loneOpeningTable(db),
    backlog: backlogTable(db),
    handoffs: handoffTable(db),
    progress: progressTable(db),
    budget: dayBudgetTable(db),
    incidents: incidentTable(db),
    providerParks: providerParkTable(db),
    signOuts: signOutTable(db),
    keptSecrets: keptSecretTable(db),
    sweeps: sweepTable(db),
    nodes: nodeTable(db),
    rounds: roundTable(db),
    tokenRequests: tokenRequestTable(db),
    appIdentities: appIdentityTable(db),
    blockers: blockersTable(db),
    archives: archiveTable(db),
    checkpoints: checkpointTable(db),
    conversations: conversationTable(db),
    checks: checkTable(db),
    seenPulls: seenPullTable(db),
    repositoryFiles: repositoryFileTable(db),
    issueTexts: issueTextTable(db),
    replayInputs: replayInputTable(db),
  };
}
