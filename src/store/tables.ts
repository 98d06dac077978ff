import type { Kysely } from "kysely";
import type { Tables } from "../core/ports/store.ts";
import { approvalTable } from "./approvals.ts";
import { archiveTable } from "./archives.ts";
import { blockersTable } from "./blockers.ts";
import { checkTable } from "./checks.ts";
import { dayBudgetTable } from "./day-budget.ts";
import { decisionTable } from "./decisions.ts";
import { deliveryTable } from "./deliveries.ts";
import { effectTable } from "./effects.ts";
import { evidenceTable } from "./evidence.ts";
import { groundTable } from "./grounds.ts";
import { handoffTable } from "./handoffs.ts";
import { incidentTable } from "./incidents.ts";
import { intentTable } from "./intents.ts";
import { issueTextTable } from "./issue-texts.ts";
import { ledgerTable } from "./ledger.ts";
import { listTable } from "./lists.ts";
import { loneOpeningTable } from "./lone-openings.ts";
import { meterTable } from "./meters.ts";
import { planTable } from "./plans.ts";
import { progressTable } from "./progress.ts";
import { providerParkTable } from "./provider-parks.ts";
import { questionTable } from "./questions.ts";
import { recordTable } from "./records.ts";
import { repositoryTable } from "./repositories.ts";
import { repositoryFileTable } from "./repository-files.ts";
import { retentionTable } from "./retention.ts";
import { runEventTable } from "./run-events.ts";
import type { Schema } from "./schema.ts";
import { scopePauseTable } from "./scope-pauses.ts";
import { seenPullTable } from "./seen-pulls.ts";
import { signOutTable } from "./sign-outs.ts";
import { sweepTable } from "./sweeps.ts";
import { toolCallTable } from "./tool-calls.ts";
import { transitionTable } from "./transitions.ts";
import { usageTable } from "./usage.ts";
import { verdictTable } from "./verdicts.ts";
import { wakeTable } from "./wakes.ts";

/** All tables on one connection, which may be a transaction. */
export function tablesOn(db: Kysely<Schema>): Tables {
  return {
    records: recordTable(db),
    transitions: transitionTable(db),
    decisions: decisionTable(db),
    effects: effectTable(db),
    wakes: wakeTable(db),
    intents: intentTable(db),
    evidence: evidenceTable(db),
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
    meters: meterTable(db),
    handoffs: handoffTable(db),
    progress: progressTable(db),
    budget: dayBudgetTable(db),
    incidents: incidentTable(db),
    providerParks: providerParkTable(db),
    signOuts: signOutTable(db),
    sweeps: sweepTable(db),
    blockers: blockersTable(db),
    archives: archiveTable(db),
    checks: checkTable(db),
    seenPulls: seenPullTable(db),
    repositoryFiles: repositoryFileTable(db),
    issueTexts: issueTextTable(db),
    grounds: groundTable(db),
  };
}
