import { type Kysely, type RawBuilder, sql } from "kysely";
import type { OfRepositories, Position } from "../../../domain/ports/lists.ts";
import type { PlannedWork, PlanTable } from "../../../domain/ports/work-tables.ts";
import { TASK_STATES } from "../../../domain/tasks/task-record.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { recordCodecs } from "./records.ts";

type Found = Readonly<Record<string, unknown>>;

/** Identifies a row's record: kind 1 is the goal, 0 the sprint without a goal, with this id. */
interface Key {
  readonly kind: number;
  readonly id: number;
}

/** Selects goals, and sprints without a goal; the lists of states must match the index literally. */
const ALL = sql`(SELECT 1 AS kind, id, repository_id, created_at, state = 'IN_PROGRESS' AS is_open FROM goal
  UNION ALL SELECT 0, id, repository_id, created_at, state IN ('IN_PROGRESS', 'CHECKPOINT') FROM sprint
    WHERE goal_id IS NULL)`;

/** Lists goals and sprints for display. */
export function planTable(db: Kysely<Schema>): PlanTable {
  const rowsOf = async (query: RawBuilder<unknown>) => (await sql<Found>`${query}`.execute(db)).rows;
  return {
    list: async ({ open, repositories }, { after, limit }) => {
      const rows = await rowsOf(sql`SELECT * FROM ${ALL} AS plan WHERE ${behind(after)}
        ${open ? sql`AND is_open` : sql``} ${among(repositories)}
        ORDER BY created_at DESC, kind DESC, id DESC LIMIT ${limit}`);
      const found = await workOf(rowsOf, rows.map(keyOf));
      return rows.flatMap((row) => {
        const work = found.get(nameOf(keyOf(row)));
        const position = [Number(row["createdAt"]), Number(row["kind"]), Number(row["id"])];
        return work === undefined ? [] : { row: work, position };
      });
    },
    ofIssue: async (repositoryId, issue) => {
      const [row] = await rowsOf(sql`SELECT 1 AS kind, id, 1 AS rank FROM goal
          WHERE repository_id = ${repositoryId} AND issue = ${issue}
        UNION ALL SELECT CASE WHEN sprint.goal_id IS NULL THEN 0 ELSE 1 END, coalesce(sprint.goal_id, sprint.id), 0
          FROM sprint WHERE sprint.id = (SELECT sprint_id FROM task
            WHERE repository_id = ${repositoryId} AND issue = ${issue} ORDER BY id DESC LIMIT 1)
        ORDER BY rank DESC, id DESC LIMIT 1`);
      if (row === undefined) return undefined;
      return (await workOf(rowsOf, [keyOf(row)])).get(nameOf(keyOf(row)));
    },
    checkpoints: async (repositories) => {
      const [row] = await rowsOf(sql`SELECT count(*) AS count FROM sprint
        WHERE state = 'CHECKPOINT' ${among(repositories)}`);
      return Number(row?.["count"]);
    },
  };
}

type RowsOf = (query: RawBuilder<unknown>) => Promise<readonly Found[]>;

/** Reads the work of each goal or sprint, with one statement per kind of record. */
async function workOf(rowsOf: RowsOf, keys: readonly Key[]): Promise<ReadonlyMap<string, PlannedWork>> {
  const idsOf = (kind: number) => numbers(keys.filter((key) => key.kind === kind).map(({ id }) => id));
  const goals = (await rowsOf(sql`SELECT * FROM goal WHERE id IN ${idsOf(1)}`)).map((row) =>
    recordCodecs.goal.decode(row),
  );
  const sprints = await rowsOf(sql`SELECT * FROM sprint
    WHERE goal_id IN ${idsOf(1)} OR id IN ${idsOf(0)} ORDER BY id`);
  const parts = sql`(SELECT CASE WHEN sprint.goal_id IS NULL THEN 0 ELSE 1 END AS kind, coalesce(sprint.goal_id, sprint.id) AS id,
      task.repository_id, task.issue
    FROM sprint ${dialect.joinInOrder()} task ON task.sprint_id = sprint.id WHERE goal_id IN ${idsOf(1)} OR sprint.id IN ${idsOf(0)}
    UNION SELECT 1, id, repository_id, issue FROM ${dialect.rows(
      { id: "number", repository_id: "number", issue: "number" },
      goals.flatMap(({ id, repositoryId, parts: issues }) =>
        issues.map((issue) => ({ id, repository_id: repositoryId, issue })),
      ),
    )} AS planned)`;
  const tasks = await rowsOf(sql`SELECT part.kind, part.id, part.issue, (SELECT state FROM task
      WHERE task.repository_id = part.repository_id AND task.issue = part.issue
      ORDER BY task.id DESC LIMIT 1) AS state
    FROM ${parts} AS part ORDER BY part.issue`);
  const sums = await rowsOf(sql`SELECT part.kind, part.id, count(*) AS agents,
      sum(agent.cost_micro_usd) AS cost_micro_usd
    FROM ${parts} AS part JOIN agent ON agent.repository_id = part.repository_id AND agent.issue = part.issue
    GROUP BY part.kind, part.id`);
  return new Map(
    keys.flatMap((key): (readonly [string, PlannedWork])[] => {
      const mine = (row: Found) => nameOf(keyOf(row)) === nameOf(key);
      const own = sprints.map((row) => recordCodecs.sprint.decode(row));
      const known = key.kind === 1 ? (goals.find(({ id }) => id === key.id) ?? null) : null;
      const its = own.filter(({ id, goalId }) => (key.kind === 1 ? goalId : id) === key.id);
      const repositoryId = known?.repositoryId ?? its[0]?.repositoryId;
      if (repositoryId === undefined) return [];
      const sum = sums.find(mine);
      return [
        [
          nameOf(key),
          {
            repositoryId,
            goal: known,
            sprints: its,
            tasks: tasks.filter(mine).map((row) => ({
              issue: Number(row["issue"]),
              state: TASK_STATES.find((state) => state === row["state"]) ?? null,
            })),
            agents: Number(sum?.["agents"] ?? 0),
            costMicroUsd: Number(sum?.["costMicroUsd"] ?? 0),
          },
        ],
      ];
    }),
  );
}

function keyOf(row: Found): Key {
  return { kind: Number(row["kind"]), id: Number(row["id"]) };
}

function nameOf({ kind, id }: Key): string {
  return `${kind}:${id}`;
}

function behind(after: Position | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const [at = 0, kind = 0, id = 0] = after;
  return sql`(created_at, kind, id) < (${at}, ${kind}, ${id})`;
}

function among(repositories: OfRepositories): RawBuilder<unknown> {
  if (repositories === null) return sql``;
  return sql`AND repository_id IN ${numbers(repositories)}`;
}
