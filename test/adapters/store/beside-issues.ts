import type { Database } from "better-sqlite3";
import { inserter } from "./insert-row.ts";
import { repository } from "./samples.ts";

/**
 * Writes what comes about beside the work of agents: issues that never had one, a goal and a sprint that are over, a
 * webhook that was given up, what a repository was granted, and what was seen of its pull requests.
 */
export function addBesideIssues(database: Database, { issue, at }: { issue: number; at: number }): void {
  const insert = inserter(database);
  const here = { repository_id: repository.id, issue };
  const goal = insert("goal", { ...here, state: "COMPLETED", title: "Launch", created_at: at, ended_at: at });
  const sprint = insert("sprint", {
    state: "COMPLETED",
    repository_id: repository.id,
    goal_id: goal,
    milestone: 1,
    title: "First",
    created_at: at,
    ended_at: at,
  });
  insert("task", {
    ...here,
    state: "ABANDONED",
    title: "Never begun",
    failed_by: "[]",
    verdicts: "[]",
    sprint_id: sprint,
    created_at: at,
  });
  for (const machine of ["task", "sprint", "goal"])
    insert("transition", { ...here, at, machine, actor: "flotilla", event: "END", evidence: "null" });
  for (const state of ["done", "failed"])
    insert("effect", {
      ...here,
      key: `${issue}:${at}:${state}`,
      kind: "add_labels",
      lane: `issue:${repository.id}#${issue}`,
      payload: "{}",
      state,
      result: "null",
      created_at: at,
      settled_at: at,
    });
  insert("decision", { ...here, at, last_at: at, rule: "blocked", reason: "#1 is open", inputs: "{}" });
  insert("run_event", { ...here, at, type: "agent:error", data: "{}" });
  const asked = { ...here, issue: issue + 1 };
  insert("blockers", { ...asked, blockers: "[]", read_at: at });
  insert("issue_text", { ...asked, title: "Only read", body: "", approved_by: "octocat", at });
  insert("delivery", {
    guid: `dead:${issue}:${at}`,
    event: "issues",
    lane: "7",
    state: "dead",
    received_at: at,
    settled_at: at,
    payload: "{}",
  });
  insert("seen_pull", { repository_id: repository.id, pull: issue, opened_at: at, asked: "[]" });
  insert("incident", {
    state: "closed",
    scope: "all",
    fingerprint: "f",
    text: "It failed everywhere",
    repository_id: repository.id,
    opened_at: at,
    probe_agent_id: Number(database.prepare("SELECT min(id) FROM agent").pluck().get()),
  });
  insert("day_grant", { ...here, day: Math.floor(at / 86_400_000), granted_by: "octocat", at });
}
