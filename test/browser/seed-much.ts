import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { COMMIT } from "./seed-screens.ts";

/** Gives an agent twenty sleeps, thirty more checks, twenty dropped reviews, and a long message. */
export async function seedMuch(store: Store, agent: AgentRecord, now: number): Promise<void> {
  const { id: agentId, repositoryId, issue } = agent;
  const move = {
    machine: "agent",
    recordId: agentId,
    agentId,
    repositoryId,
    issue,
    actor: "flotilla",
    reason: null,
    evidence: null,
    delivery: null,
  } as const;
  for (let at = 0; at < 20; at += 1) {
    await store.transitions.add({ ...move, at: now, event: "WAIT", from: "ACTIVE", to: "SLEEPING" });
    await store.transitions.add({ ...move, at: now, event: "WAKE", from: "SLEEPING", to: "ACTIVE" });
  }
  const check = {
    repositoryId,
    ref: COMMIT,
    state: "green",
    conclusion: "success",
    fingerprint: null,
    job: null,
    step: null,
    log: "",
    excused: false,
    rerun: null,
    rerunAt: null,
    seenAt: now,
  } as const;
  await store.checks.see(
    Array.from({ length: 30 }, (_, at) => ({ ...check, name: `check ${at}`, run: `${at + 10}` })),
  );
  const [task] = await store.records.find("task", { repositoryId, issue });
  for (let at = 0; at < 20; at += 1)
    await store.verdicts.add({
      taskId: task?.id ?? 0,
      agentId: null,
      reviewer: "mona",
      account: 9,
      commit: COMMIT,
      approves: false,
      body: `Round ${at}.`,
      comments: [],
      evidence: [],
      createdAt: now,
    });
  await store.runEvents.add({
    at: now,
    agentId,
    repositoryId,
    issue,
    event: { type: "stream:token", data: { text: "A long message of a model. ".repeat(200) } },
  });
}
