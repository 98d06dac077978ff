import { type Kysely, type SqlBool, sql } from "kysely";
import { AGENT_COUNTERS, agentRecord } from "../../../domain/agents/agent-record.ts";
import { runRecord } from "../../../domain/agents/run.ts";
import { sessionRecord } from "../../../domain/agents/session.ts";
import { StaleSnapshot } from "../../../domain/kernel/errors.ts";
import type { MachineName } from "../../../domain/kernel/rows.ts";
import { goalRecord } from "../../../domain/planning/goal.ts";
import { sprintRecord } from "../../../domain/planning/sprint.ts";
import type { LongAsleep, Records, RecordTable } from "../../../domain/ports/store.ts";
import { reviewLeaseRecord } from "../../../domain/review/review-lease.ts";
import { taskRecord } from "../../../domain/tasks/task-record.ts";
import { type Codec, codec } from "../sql/codec.ts";
import { dialect, UniqueViolation } from "../sql/dialect.ts";
import { idsByRepository } from "../sql/ids-by-repository.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema, SqlValue } from "../sql/schema.ts";
import { conditions, matchesNothing, shapeOf, valuesIn } from "../sql/where.ts";

export const recordCodecs: { readonly [M in MachineName]: Codec<Records[M]> } = {
  agent: codec("agent", agentRecord),
  run: codec("run", runRecord),
  session: codec("session", sessionRecord),
  task: codec("task", taskRecord),
  review_lease: codec("review_lease", reviewLeaseRecord),
  sprint: codec("sprint", sprintRecord),
  goal: codec("goal", goalRecord),
};
const NEVER_SAVED: ReadonlySet<string> = new Set(["id", "version", ...AGENT_COUNTERS]);

/** Implements the records of all machines. */
export function recordTable(db: Kysely<Schema>): RecordTable {
  return {
    get: async (machine, id) => {
      const [row] = await keptRows(db, `${machine} by id`, [id], () =>
        db.selectFrom(table(machine)).selectAll().where("id", "=", id).compile(),
      );
      return row && recordCodecs[machine].decode(row);
    },
    find: async (machine, where) => {
      if (matchesNothing(where)) return [];
      const values = valuesIn(recordCodecs[machine], where);
      const rows = await keptRows(db, `${machine} by ${shapeOf(where)}`, values, () =>
        db
          .selectFrom(table(machine))
          .selectAll()
          .where((eb) => eb.and(conditions(recordCodecs[machine], where)))
          .orderBy("id")
          .compile(),
      );
      return rows.map((row) => recordCodecs[machine].decode(row));
    },
    issues: async (machine, where) => {
      const found = await db
        .selectFrom(table(machine))
        .select(["repositoryId", "issue"])
        .distinct()
        .where((eb) => eb.and(conditions(recordCodecs[machine], where)))
        .orderBy("repositoryId")
        .orderBy("issue")
        .execute();
      return found.map(({ repositoryId, issue }) => ({
        repositoryId: Number(repositoryId),
        issue: Number(issue),
      }));
    },
    ids: async (machine, where) => {
      const found = await db
        .selectFrom(table(machine))
        .select("id")
        .where((eb) => eb.and(conditions(recordCodecs[machine], where)))
        .orderBy("id")
        .execute();
      return found.map(({ id }) => Number(id));
    },
    insert: async (machine, record) => {
      const { id: _, ...columns } = columnsOf(machine, record);
      const values = { ...columns, version: 1 };
      const [row = {}] = await uniquely(machine, 0, () =>
        keptRows(db, `insert ${machine} ${Object.keys(values).join()}`, Object.values(values), () =>
          db.insertInto(table(machine)).values(values).returningAll().compile(),
        ),
      );
      return recordCodecs[machine].decode(row);
    },
    save: async (machine, before, after) => {
      const old = columnsOf(machine, before);
      const changed = Object.entries(columnsOf(machine, after)).filter(
        ([column, value]) => !NEVER_SAVED.has(column) && value !== old[column],
      );
      const id = Number(old["id"]);
      const version = Number(old["version"]);
      const set = { ...Object.fromEntries(changed), version: version + 1 };
      const values = [...Object.values(set), id, version];
      const [row] = await uniquely(machine, id, () =>
        keptRows(db, `save ${machine} ${Object.keys(set).join()}`, values, () =>
          db
            .updateTable(table(machine))
            .set(set)
            .where("id", "=", id)
            .where("version", "=", version)
            .returningAll()
            .compile(),
        ),
      );
      if (row === undefined) throw new StaleSnapshot(machine, id);
      return recordCodecs[machine].decode(row);
    },
    count: async (agentId, counter, by) => {
      const row = await db
        .updateTable("agent")
        .set({ [counter]: sql`${sql.ref(counter)} + ${by}` })
        .where("id", "=", agentId)
        .returning(counter)
        .executeTakeFirstOrThrow();
      return Number(row[counter]);
    },
    renewLease: async (agentId, token, at, leaseUntil) => {
      const { numUpdatedRows } = await db
        .updateTable("agent")
        .set({ lastActivityAt: at, leaseUntil })
        .where("id", "=", agentId)
        .where("token", "=", token)
        .where("state", "=", "ACTIVE")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    longAsleep: async (which, before, after, limit) => {
      const { rows } = await sql<LongAsleep>`select id, sleeping_since from agent ${LONG_ASLEEP[which]}
          and sleeping_since < ${before}
          and (sleeping_since, id) > (${after?.sleepingSince ?? 0}, ${after?.id ?? 0})
        order by sleeping_since, id limit ${limit}`.execute(db);
      return rows;
    },
    heldLeases: async ({ below, after, limit }) => {
      const { rows } = await sql<
        Record<string, unknown>
      >`select * from review_lease ${dialect.byIndex("review_lease_held")}
        where state = 'HELD' and lease_until < ${below}
          and (lease_until, id) > (${after?.leaseUntil ?? 0}, ${after?.id ?? 0})
        order by lease_until, id limit ${limit}`.execute(db);
      return rows.map((row) => recordCodecs.review_lease.decode(row));
    },
    firstApproved: async () => {
      const { rows } = await sql<{ repositoryId: number; issue: number }>`select * from
        (select repository.id as repository_id, (select issue from task ${dialect.byIndex("task_approved")}
          where state = 'APPROVED' and task.repository_id = repository.id order by task.id limit 1) as issue
        from repository) as first where issue is not null order by repository_id`.execute(db);
      return rows;
    },
    queuedTasks: async (repositoryId, after, limit) => {
      const { rows } = await sql<Record<string, unknown>>`select * from task ${dialect.byIndex("task_queued")}
        where (state IN ('APPROVED', 'INTEGRATION_FAILED')
            OR (integration_fix = 1 AND state IN ('CLAIMED', 'READY_FOR_REVIEW', 'REJECTED')))
          and repository_id = ${repositoryId} and id > ${after} order by id limit ${limit}`.execute(db);
      return rows.map((row) => recordCodecs.task.decode(row));
    },
    outlived: async (now) => {
      const { rows } = await sql<{ id: number }>`select id from agent ${dialect.byIndex("agent_ends")}
        where ttl_ms IS NOT NULL AND state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')
          and created_at + ttl_ms <= ${now} order by id`.execute(db);
      return rows.map(({ id }) => id);
    },
    renewWaiting: async ({ below, until, limit }) => {
      const { numAffectedRows } = await sql`update task set lease_until = ${until}, version = version + 1
        where id in (select task.id from task ${dialect.byIndex("task_lease")}
          ${dialect.joinInOrder()} agent on agent.id = task.assignee_id
          where task.state = 'CLAIMED' and task.lease_until IS NOT NULL and task.lease_until < ${below}
            and agent.state in ('CREATED', 'SLEEPING', 'ESCALATED')
          order by task.lease_until limit ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
    created: async () => {
      const found = await db
        .selectFrom("agent")
        .select(["id", "repositoryId"])
        .where("state", "=", "CREATED")
        .orderBy("id")
        .$castTo<{ id: number; repositoryId: number }>()
        .execute();
      return idsByRepository(found);
    },
    slotsInUse: async (node) => {
      const { slots } = await db
        .selectFrom("agent")
        .select((eb) => eb.fn.countAll<number>().as("slots"))
        .where(hasSlot)
        .$if(node !== undefined, (query) => query.where("node", "=", node ?? null))
        .executeTakeFirstOrThrow();
      return slots;
    },
    slotsByNode: async () => {
      const found = await db
        .selectFrom("agent")
        .select((eb) => ["node", eb.fn.countAll<number>().as("slots")])
        .where(hasSlot)
        .groupBy("node")
        .$castTo<{ node: string; slots: number }>()
        .execute();
      return new Map(found.map(({ node, slots }) => [node, slots]));
    },
  };
}

/** An agent has its slot until its session is closed. */
const hasSlot = sql<SqlBool>`(state = 'ACTIVE' or id in (
  select agent_id from effect where kind = 'close_session' and state in ('pending', 'leased')))`;

/** The conditions must match the indexes literally. */
const LONG_ASLEEP = {
  may_expire: sql`${dialect.byIndex("agent_may_expire")}
    where state = 'SLEEPING' AND sleep_reason NOT IN ('review', 'question') AND held_by = '[]'`,
  may_be_reminded: sql`${dialect.byIndex("agent_may_be_reminded")}
    where reminders < 2 AND (state = 'ESCALATED'
      OR (state = 'SLEEPING' AND sleep_reason IN ('review', 'approval', 'paused')))`,
};

/**
 * Names a machine's table. Kysely's types accept one of several tables but no generic one; the columns used
 * here are in all.
 */
function table(machine: MachineName): MachineName {
  return machine;
}

function columnsOf<M extends MachineName>(
  machine: M,
  record: Records[M],
): Readonly<Record<string, SqlValue>> {
  return recordCodecs[machine].encode(record);
}

/**
 * Converts a violated unique index to `StaleSnapshot`: another transaction did the same since the record was
 * read.
 */
async function uniquely<T>(machine: MachineName, id: number, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof UniqueViolation ? new StaleSnapshot(machine, id) : error;
  }
}
