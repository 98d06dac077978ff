import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { missingFact } from "../../domain/evidence/missing-fact.ts";
import { changedText, hasPicture, SCREEN_PICTURES, type ScreenRow } from "../../domain/evidence/screens.ts";
import type { EvidenceRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { SeenCheck } from "../../domain/ports/work-tables.ts";
import type { VerdictRow } from "../../domain/review/verdict.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/** Rows of each kind that are shown, the latest. */
const SHOWN = 100;

/**
 * Returns what Flotilla itself found out about an agent's work: the commands that it ran, what claims lacked, the checks
 * of the commit under review, the reviewers' verdicts, each the latest first, and pictures of the app.
 */
export async function agentEvidence(store: Tables, agent: AgentRecord) {
  const { id, repositoryId, issue, coder } = agent;
  const rows = await store.evidence.ofAgent(id);
  const tasks = await store.records.find("task", { repositoryId, issue });
  const task = tasks.findLast(({ assigneeId }) => assigneeId === id) ?? tasks.at(-1);
  const all = task === undefined ? [] : await store.verdicts.ofTask(task.id);
  const verdicts = coder ? all : all.filter(({ agentId }) => agentId === id);
  const commit = commitOf(agent, task, verdicts);
  const checks = commit === null ? [] : await store.checks.ofRef(repositoryId, commit);
  return {
    /** The commit whose checks these are. */
    commit,
    evidence: latest(rows).map(evidenceJson),
    checks: latest(checks).map(checkJson),
    verdicts: latest(verdicts).map(verdictJson),
    screens: (await store.screens.ofAgent(id)).map(screenJson),
  };
}

export type AgentEvidence = Awaited<ReturnType<typeof agentEvidence>>;

function commitOf(
  { coder, headCommit }: AgentRecord,
  task: TaskRecord | undefined,
  verdicts: readonly VerdictRow[],
): string | null {
  if (!coder) return verdicts.at(-1)?.commit ?? null;
  return task?.reviewCommit ?? headCommit;
}

function latest<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(-SHOWN).toReversed();
}

function evidenceJson(row: EvidenceRow) {
  return {
    id: row.id,
    at: new Date(row.createdAt).toISOString(),
    kind: row.kind,
    /** Rows of one claim have the same number; null for the setup of the agent's own worktree. */
    claim: row.intentId,
    commit: row.commit,
    command: row.command,
    holds: row.holds,
    exit_code: row.exitCode,
    timed_out: row.timedOut,
    duration_ms: row.durationMs,
    output: row.output,
    confidence: row.confidence,
    /** What the claim lacked, in words. */
    missing: row.missing === null ? null : missingFact(row.missing),
  };
}

function screenJson(row: ScreenRow) {
  const { id, page, size, commit, baseCommit, changed, beforeFault, afterFault, createdAt } = row;
  return {
    id,
    page,
    size,
    commit,
    base_commit: baseCommit,
    at: new Date(createdAt).toISOString(),
    changed,
    before_fault: beforeFault,
    after_fault: afterFault,
    summary: changedText(row),
    pictures: SCREEN_PICTURES.filter((which) => hasPicture(row, which)),
  };
}

function checkJson(check: SeenCheck) {
  return {
    name: check.name,
    state: check.state,
    conclusion: check.conclusion,
    /** The base branch failed in the same way, so the failure is not the agent's. */
    excused: check.excused,
    job: check.job,
    step: check.step,
    log: check.log,
    at: new Date(check.seenAt).toISOString(),
  };
}

function verdictJson(verdict: VerdictRow) {
  return {
    id: verdict.id,
    at: new Date(verdict.createdAt).toISOString(),
    reviewer: verdict.reviewer,
    /** False for a reviewing agent. */
    person: verdict.agentId === null,
    approves: verdict.approves,
    /** False once its commit is no longer under review, or it was withdrawn. */
    current: verdict.state === "current",
    commit: verdict.commit,
    body: verdict.body,
    comments: verdict.comments.map(({ path, line, body }) => ({ path, line, body })),
    /** Commands that the reviewer says it ran. */
    ran: verdict.evidence,
  };
}
