import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Finding } from "../../domain/evidence/finding.ts";
import type { Missing } from "../../domain/evidence/missing.ts";
import { concernsTests, TEST_BOUNDS, weakenedTests } from "../../domain/evidence/weakened-tests.ts";
import { weakenedLines, weakenedSummary } from "../../domain/evidence/weakened-text.ts";
import type { ChangedFile } from "../../domain/ports/changed-file.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { canonicalCall, SHORT_HASH } from "../../domain/questions/approval.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { appendAskedEvent, clean } from "../kernel/run-events.ts";
import { inSlices } from "./in-slices.ts";
import type { ClaimedCommit } from "./prove-commands.ts";

export type WeakenedTests = Extract<Missing, { kind: "tests_weakened" }>;

/** Whether a claim's commit keeps the tests as they are, or a person approved what it does to them. */
export type TestsEvidence =
  | { readonly kind: "kept" | "approved" }
  | { readonly kind: "held" | "denied"; readonly weakened: WeakenedTests };

/**
 * Compares the tests before and after the change of a claimed commit. What may weaken them holds the claim until a
 * person has approved exactly that; it is kept as evidence, once for each claim and commit.
 */
export async function judgeTests(
  context: EngineContext,
  agent: AgentRecord,
  {
    ref,
    commit,
    intentId,
    base,
    approved,
  }: ClaimedCommit & { readonly base: string; readonly approved: ReadonlySet<string> },
): Promise<TestsEvidence> {
  const files = await context.worktrees.changedFiles(ref, {
    commit,
    base,
    wanted: concernsTests,
    bounds: TEST_BOUNDS,
  });
  const findings = await inSlices(weakenedTests(files, approved));
  if (findings.length === 0) return { kind: "kept" };
  const hash = hashOf(context, findings, files);
  const decided = await context.store.approvals.latest(agent.id, hash);
  const state = decided?.state === "granted" || decided?.state === "denied" ? decided.state : "asked";
  const weakened: WeakenedTests = {
    kind: "tests_weakened",
    summary: weakenedSummary(findings),
    findings: weakenedLines(findings).map((line) => clean(context, line)),
    hash,
    reason: state === "denied" ? (decided?.reason ?? null) : null,
  };
  await keep(context, agent, { commit, intentId, weakened, holds: state === "granted" });
  if (state === "granted") return { kind: "approved" };
  return { kind: state === "denied" ? "denied" : "held", weakened };
}

/** Asks a person, once in a period of the agent. */
export async function askAboutTests(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  { hash, summary, findings }: WeakenedTests,
): Promise<void> {
  const { id: agentId, token } = agent;
  const asked = {
    kind: "weakened_tests",
    detail: summary,
    tool: "tests",
    input: clean(context, findings.join("\n")),
    hash,
  } as const;
  if (await tables.approvals.ask({ ...asked, agentId, token, createdAt: context.clock.now() }))
    await appendAskedEvent(context, tables, agent, {
      kind: "weakened_tests",
      subject: `tests ${hash.slice(0, SHORT_HASH)}`,
    });
}

/** An approval holds as long as neither the findings change nor a file that they name. */
function hashOf(
  { digest }: EngineContext,
  findings: readonly Finding[],
  files: readonly ChangedFile[],
): string {
  const named = new Set(findings.map(({ path }) => path));
  // Where not all findings are listed, a file that is not named may have some.
  const isCut = findings.at(-1)?.kind === "more";
  const contents = files.flatMap(({ path, after }) =>
    isCut || named.has(path) ? [[path, after?.id ?? null]] : [],
  );
  return digest(canonicalCall({ toolName: "tests", args: { findings, contents } }));
}

async function keep(
  { store, clock }: EngineContext,
  agent: AgentRecord,
  kept: Pick<ClaimedCommit, "commit" | "intentId"> & {
    readonly weakened: WeakenedTests;
    readonly holds: boolean;
  },
): Promise<void> {
  const { commit, intentId, weakened, holds } = kept;
  const before = await store.evidence.ofClaim(intentId);
  const isKept = before.some(
    (row) => row.commit === commit && row.holds === holds && row.missing?.kind === "tests_weakened",
  );
  const run = await runOf(store, agent.id);
  if (isKept || run === undefined) return;
  await store.evidence.add({
    agentId: agent.id,
    runId: run.id,
    intentId,
    kind: "missing",
    commit,
    command: null,
    holds,
    exitCode: null,
    timedOut: false,
    output: "",
    durationMs: null,
    digest: null,
    missing: weakened,
    confidence: null,
    createdAt: clock.now(),
  });
}
