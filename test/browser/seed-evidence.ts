import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { reusedText } from "../../src/domain/evidence/reuse.ts";
import type { EvidenceRow } from "../../src/domain/kernel/rows.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { COMMIT, seedScreens } from "./seed-screens.ts";

const COMMAND = "npm test -- export";
const RAN: Omit<EvidenceRow, "id" | "agentId" | "runId" | "createdAt"> = {
  intentId: null,
  kind: "command",
  commit: COMMIT,
  command: COMMAND,
  holds: true,
  exitCode: 0,
  timedOut: false,
  output: "12 tests passed",
  durationMs: 5300,
  digest: null,
  missing: null,
  confidence: null,
};

/** Two claims of an agent, of which the first failed; a check that is red on the base too; and a person's review. */
export async function seedEvidence(store: Store, agent: AgentRecord, now: number): Promise<void> {
  const { id: agentId, repositoryId, issue } = agent;
  const [run] = await store.records.find("run", { agentId });
  const add = (row: Partial<EvidenceRow>) =>
    store.evidence.add({ ...RAN, agentId, runId: run?.id ?? 0, createdAt: now - 60_000, ...row });
  const claim = async () =>
    store.intents.add({
      agentId,
      token: 1,
      kind: "report_complete",
      payload: {},
      commit: COMMIT,
      createdAt: now,
    });
  await seedScreens(store, agentId, now);
  const made = { commit: COMMIT, at: now - 3_600_000 };
  const output = reusedText(["node_modules"], made);
  await add({ kind: "setup", command: "npm ci", exitCode: null, output });
  const first = await claim();
  const failed = { command: COMMAND, exitCode: 1, timedOut: false, output: "1 test failed" };
  await add({ intentId: first?.id ?? 0, holds: false, ...failed });
  await add({
    intentId: first?.id ?? 0,
    kind: "missing",
    command: null,
    exitCode: null,
    holds: false,
    durationMs: null,
    output: "",
    missing: { kind: "command_failed", ...failed },
  });
  await store.intents.settle(first?.id ?? 0, "refused", null);
  const second = await claim();
  await add({ intentId: second?.id ?? 0 });
  await store.intents.settle(second?.id ?? 0, "applied", null);
  const check = {
    repositoryId,
    ref: COMMIT,
    fingerprint: null,
    job: null,
    step: null,
    log: "",
    excused: false,
    rerun: null,
    rerunAt: null,
    seenAt: now,
  } as const;
  await store.checks.see([
    { ...check, name: "build", run: "1", state: "green", conclusion: "success" },
    { ...check, name: "lint", run: "2", state: "red", conclusion: "failure", log: "a.ts:3", excused: true },
  ]);
  const [task] = await store.records.find("task", { repositoryId, issue });
  await store.verdicts.add({
    taskId: task?.id ?? 0,
    agentId: null,
    reviewer: "mona",
    account: 9,
    commit: COMMIT,
    approves: false,
    body: "A test is missing.",
    comments: [{ path: "src/export.ts", line: 3, body: "And this line.", inline: true }],
    evidence: [],
    createdAt: now,
  });
}
