import SqliteDatabase from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { agent, repository, run, task } from "./samples.ts";

/** Tables that grow with use; none of them is ever read from end to end. */
const GROWING =
  "agent approval decision delivery effect question review_lease run run_event session task tool_call touch transition usage wake";

/** A store in memory, and the statements that it was asked since the last look. */
export function watchedStore() {
  let said: string[] = [];
  const database = new SqliteDatabase(":memory:", { verbose: (text) => said.push(String(text)) });
  migrate(database, migrations);
  const store = storeOn(database);
  onTestFinished(() => store.close());
  const statements = (): readonly string[] => {
    const taken = said;
    said = [];
    return taken;
  };
  /** How a statement would be carried out, step by step. */
  const planOf = (text: string): readonly string[] =>
    database
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
  /** What a statement reads from end to end, or has to sort before its first row. */
  const growing = (text: string): readonly string[] =>
    planOf(text).filter(
      (detail) => GROWING.split(" ").some((table) => detail === `SCAN ${table}`) || /ORDER BY/.test(detail),
    );
  return { store, statements, planOf, growing };
}

/** Agents in every state, each with its run, task, moves and effects. */
export async function grow(store: OpenStore, count: number, first = 1): Promise<void> {
  await store.repositories.put(repository);
  await store.transaction(async (tables) => {
    for (let issue = first; issue < first + count; issue += 1) {
      const state = AGENT_STATES[issue % AGENT_STATES.length] ?? "ACTIVE";
      const ended = ["COMPLETED", "FAILED", "CANCELLED"].includes(state);
      const made = await tables.records.insert(
        "agent",
        agent({
          issue,
          name: `feat-dev-issue-${issue}`,
          state,
          sleepReason: state === "SLEEPING" ? "question" : null,
          // Many at the same moment.
          sleepingSince: Math.floor(issue / 50),
          endedAt: ended ? issue : null,
        }),
      );
      await tables.records.insert("run", run({ agentId: made.id, issue, state: "executing" }));
      await tables.records.insert(
        "task",
        task({ issue, title: `Task ${issue}`, assigneeId: made.id, state: ended ? "MERGED" : "UNCLAIMED" }),
      );
      await tables.transitions.add({
        at: issue,
        machine: "agent",
        recordId: made.id,
        agentId: made.id,
        repositoryId: repository.id,
        issue,
        actor: "flotilla",
        event: "WAIT",
        from: "ACTIVE",
        to: "SLEEPING",
        reason: "question",
        evidence: null,
        delivery: null,
      });
    }
  });
}
