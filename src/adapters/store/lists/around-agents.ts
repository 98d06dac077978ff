import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AgentRecord } from "../../../domain/agents/agent-record.ts";
import type { AroundAgent } from "../../../domain/ports/lists.ts";
import { HOLDING_UP } from "../../../domain/status/agent-status.ts";
import { TASK_STATES, taskRecord } from "../../../domain/tasks/task-record.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { decodeApproval } from "../tables/approvals.ts";
import { decodeDecision, STILL_HOLDS } from "../tables/decisions.ts";
import { ANSWERABLE, decodeQuestion } from "../tables/questions.ts";
import { recordCodecs } from "../tables/records.ts";
import { decodeToolCall } from "../tables/tool-calls.ts";
import { decodeTransition } from "../tables/transitions.ts";
import { agentHolds } from "./agent-holds.ts";
import { waitedMerges } from "./waited-merges.ts";

type Found = Readonly<Record<string, unknown>>;

/**
 * Reads what is shown of each agent in addition to its own row, with one statement per kind, however many
 * agents.
 */
export async function aroundAgents(
  db: Kysely<Schema>,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, AroundAgent>> {
  const ids = numbers(agents.map(({ id }) => id));
  const byAgent = async (query: RawBuilder<unknown>) =>
    Map.groupBy((await sql<Found>`${query}`.execute(db)).rows, (row) => Number(row["agentId"]));
  const runs = await byAgent(sql`SELECT * FROM run
    WHERE id IN (SELECT (SELECT max(id) FROM run WHERE agent_id = agent.id) FROM agent WHERE id IN ${ids})`);
  const phases = await byAgent(sql`SELECT agent_id, at FROM transition
    WHERE id IN (SELECT (SELECT max(id) FROM transition WHERE agent_id = agent.id
      AND machine = 'run' AND from_state <> to_state) FROM agent WHERE id IN ${ids})`);
  const issues = await byAgent(sql`SELECT agent.id AS agent_id,
      (SELECT title FROM task WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue
        ORDER BY task.id DESC LIMIT 1) AS title,
      (SELECT state FROM task WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue
        ORDER BY task.id DESC LIMIT 1) AS task,
      (SELECT abandoned_reason FROM task WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue
        ORDER BY task.id DESC LIMIT 1) AS abandoned_reason,
      (SELECT risk_above FROM task WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue
        AND task.state = 'APPROVED' ORDER BY task.id DESC LIMIT 1) AS risk_above,
      (SELECT model FROM session WHERE session.agent_id = agent.id ORDER BY session.id DESC LIMIT 1) AS session_model,
      (SELECT runtime_version FROM session WHERE session.agent_id = agent.id ORDER BY session.id DESC LIMIT 1)
        AS runtime_version,
      EXISTS (SELECT 1 FROM agent AS reviewer WHERE reviewer.repository_id = agent.repository_id
        AND reviewer.issue = agent.issue AND reviewer.coder = 0
        AND reviewer.state IN ('CREATED', 'ACTIVE')) AS is_reviewed,
      EXISTS (SELECT 1 FROM task JOIN verdict ON verdict.task_id = task.id
        WHERE agent.coder = 1 AND task.repository_id = agent.repository_id AND task.issue = agent.issue
        AND task.state IN ('CLAIMED', 'REJECTED')
        AND verdict.agent_id IS NULL AND verdict.state = 'current' AND verdict.approves = 0
        AND verdict.commit_sha = coalesce(agent.head_commit, CASE WHEN agent.pr_number IS NOT NULL
          AND task.line = coalesce(agent.line, agent.id) THEN task.review_commit END)) AS is_rejected,
      EXISTS (SELECT 1 FROM agent AS later WHERE later.repository_id = agent.repository_id
        AND later.issue = agent.issue AND later.role = agent.role AND later.id > agent.id) AS has_successor
    FROM agent WHERE id IN ${ids}`);
  const sleeps = await byAgent(sql`SELECT * FROM transition
    WHERE id IN (SELECT (SELECT max(id) FROM transition WHERE agent_id = agent.id
      AND machine = 'agent' AND event = 'WAIT') FROM agent WHERE id IN ${ids})`);
  const refused =
    await byAgent(sql`SELECT * FROM decision WHERE id IN (SELECT (SELECT decision.id FROM decision
      ${dialect.byIndex("decision_of_agent")} WHERE decision.agent_id = agent.id
        AND decision.rule IN (${sql.join(HOLDING_UP)}) AND ${STILL_HOLDS}
      ORDER BY decision.id DESC LIMIT 1) FROM agent WHERE id IN ${ids} AND state IN ('CREATED', 'SLEEPING'))`);
  const calls = await byAgent(
    sql`SELECT * FROM tool_call WHERE status IN ('pending', 'running') AND agent_id IN ${ids} ORDER BY id`,
  );
  const questions = await byAgent(
    sql`SELECT * FROM question WHERE agent_id IN ${ids} AND ${ANSWERABLE} ORDER BY id`,
  );
  const approvals =
    await byAgent(sql`SELECT approval.* FROM approval JOIN agent ON agent.id = approval.agent_id
    WHERE approval.agent_id IN ${ids} AND approval.token = agent.token
    ORDER BY approval.id`);
  const holds = await agentHolds(db, agents);
  const merges = await waitedMerges(db, agents);
  const parents = await parentsOf(db, agents);
  return new Map(
    agents.map(({ id }) => {
      const last = <Row>(
        found: ReadonlyMap<number, readonly Found[]>,
        decode: (row: Found) => Row,
      ): Row | null => {
        const row = found.get(id)?.at(-1);
        return row === undefined ? null : decode(row);
      };
      const issue = issues.get(id)?.[0];
      const asked = (approvals.get(id) ?? []).map(decodeApproval);
      return [
        id,
        {
          run: last(runs, (row) => recordCodecs.run.decode(row)),
          phaseSince: last(phases, ({ at }) => Number(at)),
          title: typeof issue?.["title"] === "string" ? issue["title"] : null,
          slept: last(sleeps, decodeTransition),
          call: last(calls, decodeToolCall),
          questions: (questions.get(id) ?? []).map(decodeQuestion),
          approvals: asked.filter(({ state }) => state === "asked"),
          answered: asked.filter(({ state }) => state !== "asked"),
          isReviewed: issue?.["isReviewed"] === 1,
          isRejected: issue?.["isRejected"] === 1,
          task: TASK_STATES.find((state) => state === issue?.["task"]) ?? null,
          riskAbove: riskIn(issue?.["riskAbove"]),
          abandonedReason: typeof issue?.["abandonedReason"] === "string" ? issue["abandonedReason"] : null,
          sessionModel: typeof issue?.["sessionModel"] === "string" ? issue["sessionModel"] : null,
          runtimeVersion: typeof issue?.["runtimeVersion"] === "string" ? issue["runtimeVersion"] : null,
          parent: parents.get(id) ?? null,
          holds: holds.get(id) ?? [],
          merges: merges.get(id) ?? [],
          heldUp: last(refused, decodeDecision),
          hasSuccessor: issue?.["hasSuccessor"] === 1,
        },
      ];
    }),
  );
}

/** Only approved work has one. */
function riskIn(text: unknown): AroundAgent["riskAbove"] {
  return typeof text === "string" ? taskRecord.shape.riskAbove.parse(JSON.parse(text)) : null;
}

/** The names of the agents for whose work these were made, of those that are still kept. */
async function parentsOf(
  db: Kysely<Schema>,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, string>> {
  const ids = agents.flatMap(({ id, parentAgentId }) =>
    parentAgentId === null ? [] : [{ id, parent: parentAgentId }],
  );
  if (ids.length === 0) return new Map();
  const pairs = dialect.rows({ id: "number", parent: "number" }, ids);
  const { rows } = await sql<{ id: number; name: string }>`SELECT pair.id, agent.name
    FROM ${pairs} AS pair ${dialect.joinInOrder()} agent ON agent.id = pair.parent`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
