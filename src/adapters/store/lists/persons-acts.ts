import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Listed, PageOf, WantedActs } from "../../../domain/ports/lists.ts";
import { CLOSED_BY } from "../../../domain/questions/approval.ts";
import {
  DECIDED_ACTS,
  decidedAct,
  MOVES_OF_PEOPLE,
  moveOfPerson,
  type PersonsAct,
  type PersonsActKind,
  viaOf,
} from "../../../domain/reporting/persons-act.ts";
import { loginOf, recordedName } from "../../../domain/status/person-named.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { and, type Found } from "./list-parts.ts";

/** Must match the condition of the index `transition_by_people` literally. */
const BY_PEOPLE = sql`actor NOT IN ('flotilla', 'agent') AND (machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN', 'PAUSE', 'RESUME', 'CANCEL', 'WAKE')
    OR machine = 'task' AND event IN ('APPROVE', 'REJECT', 'MERGE', 'OBSERVED_MERGED', 'OBSERVED_CLOSED', 'FINALIZE')
    OR machine = 'goal' AND event IN ('OPEN', 'ABORT') OR machine = 'sprint' AND event IN ('CHECKPOINT', 'CONTINUE', 'ABORT'))`;

/** Must match the condition of the index `decision_by_people` literally. */
const DECIDED_BY_PEOPLE = sql`rule IN ('replayed', 'schedule_asked', 'persons_act', 'repository_changed', 'installation_changed')`;

const RULE = dialect.unindexed(sql`rule`);
/** One of `DECIDED_ACTS`. */
const ACT = dialect.textIn(sql`inputs`, "act");

function decisionsOf(kind: PersonsActKind): RawBuilder<unknown> {
  if (kind === "retry") return sql`${RULE} = 'replayed'`;
  if (kind === "schedule") return sql`${RULE} = 'schedule_asked'`;
  const acts = Object.entries(DECIDED_ACTS).flatMap(([act, [of]]) => (of === kind ? [act] : []));
  return sql`${ACT} IN (${sql.join(acts)})`;
}

/** A table that keeps acts of people. Its query ends with a condition; `id` and `at` are columns of the table. */
interface Source {
  readonly table: "transition" | "approval" | "question" | "day_grant" | "decision";
  readonly at: string;
  /** The column with who acted. */
  readonly who: RawBuilder<unknown>;
  readonly kinds: readonly PersonsActKind[];
  /** `kind` is one of `kinds`, or null for all of them. */
  readonly query: (kind: PersonsActKind | null) => RawBuilder<unknown>;
  /** The table whose column `repository_id` says where it was. */
  readonly place: string;
  readonly act: (row: Found) => Pick<PersonsAct, "kind" | "what" | "detail" | "via">;
}

const OF_AGENT = sql`agent.repository_id, agent.issue, agent.name AS agent`;

/** In the order in which acts of one moment are listed. */
const SOURCES: readonly Source[] = [
  {
    table: "transition",
    at: "at",
    who: sql`transition.actor`,
    kinds: [...new Set(MOVES_OF_PEOPLE.map(({ kind }) => kind))],
    place: "transition",
    // A pause of all agents of a repository is one act, which a decision keeps, and not one for each agent that it stops.
    query: (
      kind,
    ) => sql`SELECT transition.id, transition.at, transition.actor AS person, transition.repository_id,
        transition.issue, CASE machine WHEN 'agent' THEN agent.name END AS agent, machine, event, transition.reason AS detail, transition.delivery, transition.acted
      FROM transition ${dialect.byIndex("transition_by_people")} LEFT JOIN agent ON agent.id = transition.agent_id
      WHERE ${BY_PEOPLE} AND transition.actor NOT LIKE '%[bot]'
        AND (event <> 'PAUSE' OR transition.acted = 1 OR transition.delivery IS NOT NULL) ${kind === null ? sql`` : movesOf(kind)}`,
    act: (row) => {
      const move = moveOfPerson(String(row["machine"]), String(row["event"]));
      // On GitHub a person merges without us.
      const isHere = Number(row["acted"]) === 1 || row["event"] === "MERGE";
      const isOnGitHub = row["delivery"] !== null ? true : isHere ? false : null;
      const via = viaOf(String(row["person"]), isOnGitHub);
      return { kind: move?.kind ?? "start", what: move?.what ?? "", detail: textOf(row["detail"]), via };
    },
  },
  {
    table: "approval",
    at: "decided_at",
    who: sql`approval.decided_by`,
    kinds: ["approve", "deny"],
    place: "agent",
    query: (
      kind,
    ) => sql`SELECT approval.id, approval.decided_at AS at, approval.decided_by AS person, ${OF_AGENT},
        approval.state AS state, approval.tool AS tool, approval.reason AS detail, approval.decided_on_github AS on_github
      FROM approval ${dialect.byIndex("approval_decided")} ${dialect.joinInOrder()} agent ON agent.id = approval.agent_id
      WHERE approval.decided_by IS NOT NULL AND approval.decided_by <> ${CLOSED_BY}
        ${kind === null ? sql`` : sql`AND ${dialect.unindexed(sql`approval.state`)} ${kind === "deny" ? sql`=` : sql`<>`} 'denied'`}`,
    act: (row) => {
      const isDenied = row["state"] === "denied";
      return {
        kind: isDenied ? "deny" : "approve",
        what: `${isDenied ? "denied" : "approved"} a call of \`${String(row["tool"])}\` by`,
        detail: textOf(row["detail"]),
        via: viaOf(String(row["person"]), saidOnGitHub(row)),
      };
    },
  },
  {
    table: "question",
    at: "answered_at",
    who: sql`question.answered_by`,
    kinds: ["answer"],
    place: "agent",
    query:
      () => sql`SELECT question.id, question.answered_at AS at, question.answered_by AS person, ${OF_AGENT},
        question.answer AS detail, question.answered_on_github AS on_github
      FROM question ${dialect.byIndex("question_answered")} ${dialect.joinInOrder()} agent ON agent.id = question.agent_id
      WHERE question.answered_by IS NOT NULL`,
    act: (row) => ({
      kind: "answer",
      what: "answered a question of",
      detail: textOf(row["detail"]),
      via: viaOf(String(row["person"]), saidOnGitHub(row)),
    }),
  },
  {
    table: "day_grant",
    at: "at",
    who: sql`day_grant.granted_by`,
    kinds: ["limit"],
    place: "day_grant",
    query: () => sql`SELECT id, at, granted_by AS person, repository_id, issue, NULL AS agent,
        cost_micro_usd AS cost, agents
      FROM day_grant ${dialect.byIndex("day_grant_in_time")} WHERE granted_by <> ''`,
    act: (row) => ({
      kind: "limit",
      what: "raised the day's budget, on",
      detail: `$${(Number(row["cost"]) / 1_000_000).toFixed(2)} and ${String(row["agents"])} agents more`,
      via: viaOf(String(row["person"]), true),
    }),
  },
  {
    table: "decision",
    at: "at",
    who: dialect.textIn(sql`decision.inputs`, "by"),
    kinds: [
      ...new Set([
        ...Object.values(DECIDED_ACTS).map(([kind]) => kind),
        "retry" as const,
        "schedule" as const,
      ]),
    ],
    place: "decision",
    query: (
      kind,
    ) => sql`SELECT decision.id, decision.at, ${dialect.textIn(sql`inputs`, "by")} AS person, decision.repository_id,
        decision.issue, CASE rule WHEN 'persons_act' THEN agent.name END AS agent, rule, decision.reason AS detail,
        ${ACT} AS act, ${dialect.textIn(sql`inputs`, "said")} AS said, decision.delivery
      FROM decision ${dialect.byIndex("decision_by_people")} LEFT JOIN agent ON agent.id = decision.agent_id
      WHERE ${DECIDED_BY_PEOPLE} AND ${dialect.textIn(sql`decision.inputs`, "by")} IS NOT NULL
        ${kind === null ? sql`` : sql`AND (${decisionsOf(kind)})`}`,
    act: (row) => {
      const via = viaOf(String(row["person"]), row["delivery"] !== null);
      const rule = String(row["rule"]);
      if (rule === "replayed")
        return { kind: "retry", what: "retried a failure of", detail: textOf(row["detail"]), via };
      if (rule === "schedule_asked")
        return { kind: "schedule", what: "began a schedule of", detail: textOf(row["detail"]), via };
      const [kind, what] = decidedAct(String(row["act"]));
      return { kind, what, detail: textOf(row[rule === "persons_act" ? "said" : "detail"]), via };
    },
  },
];

/** Reads what people did, the latest first, with one statement for each table that keeps some of it. */
export async function personsActs(
  db: Kysely<Schema>,
  { kind, by, repositories }: WantedActs,
  page: PageOf,
): Promise<readonly Listed<PersonsAct>[]> {
  const found: Listed<PersonsAct>[] = [];
  for (const [index, { table, at, who, kinds, query, place, act }] of SOURCES.entries()) {
    if (kind !== null && !kinds.includes(kind)) continue;
    const time = sql`${sql.ref(`${table}.${at}`)}`;
    const id = sql`${sql.ref(`${table}.id`)}`;
    const { rows } = await sql<Found>`${query(kind)} ${behind(page, index, { time, id })}
      ${by === null ? sql`` : sql`AND ${dialect.sameText(who, recordedName(by))}`} ${and(place, repositories)}
      ORDER BY ${time} DESC, ${id} DESC LIMIT ${page.limit}`.execute(db);
    for (const row of rows)
      found.push({
        row: {
          at: Number(row["at"]),
          by: loginOf(String(row["person"])),
          repositoryId: row["repositoryId"] === null ? null : Number(row["repositoryId"]),
          // What belongs to no issue stands at 0.
          issue: Number(row["issue"]) || null,
          agent: textOf(row["agent"]),
          ...act(row),
        },
        position: [Number(row["at"]), index, Number(row["id"])],
      });
  }
  return found.toSorted((one, other) => inOrder(one.position, other.position)).slice(0, page.limit);
}

/** Returns the condition of the rows of a source that come after the page's position, see `inOrder`. */
function behind(
  { after }: PageOf,
  index: number,
  { time, id }: { readonly time: RawBuilder<unknown>; readonly id: RawBuilder<unknown> },
): RawBuilder<unknown> {
  if (after === null) return sql``;
  const [at = 0, source = 0, last = 0] = after;
  if (index < source) return sql`AND ${time} < ${at}`;
  if (index > source) return sql`AND ${time} <= ${at}`;
  return sql`AND ${time} <= ${at} AND (${time} < ${at} OR ${id} < ${last})`;
}

/** The latest first; of one moment by source, and of one source the newest row first. */
function inOrder(one: readonly number[], other: readonly number[]): number {
  const [at = 0, source = 0, id = 0] = one;
  const [otherAt = 0, otherSource = 0, otherId = 0] = other;
  return otherAt - at || source - otherSource || otherId - id;
}

function movesOf(kind: PersonsActKind): RawBuilder<unknown> {
  const moves = MOVES_OF_PEOPLE.filter((move) => move.kind === kind).map(
    ({ machine, event }) => sql`(machine = ${machine} AND ${dialect.unindexed(sql`event`)} = ${event})`,
  );
  return sql`AND (${sql.join(moves, sql` OR `)})`;
}

/** Returns null where it was not recorded. */
function saidOnGitHub(row: Found): boolean | null {
  return row["onGithub"] === null ? null : Number(row["onGithub"]) === 1;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
