import { type RawBuilder, sql } from "kysely";

/** Whose decision it is; `at` in milliseconds since the epoch. */
export interface Around {
  readonly repositoryId: number;
  readonly issue: number;
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** As many as a decision is shown. */
const DECISIONS = 20;
/** Of each agent's calls; as many as a person who is asked is shown, and reports between them. */
const CALLS = 20;

/** One table, and which of its rows a decision about an issue rests on. */
interface Part {
  readonly table: string;
  readonly rows: RawBuilder<unknown>;
}

/**
 * The rows that a decision about one issue rests on: all of its own, of other issues what is live or open, of the
 * repository's day what was started and spent. Of each table whose rows are numbered the last row too, so that new rows
 * get the numbers that they got then.
 */
export function groundParts({ repositoryId, issue, at }: Around): readonly Part[] {
  const here = sql`repository_id = ${repositoryId} and issue = ${issue}`;
  const live = sql`state in ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')`;
  const mine = sql`(select id from agent where ${here})`;
  const openTask = sql`state not in ('MERGED', 'SUPERSEDED', 'ABANDONED')`;
  const today = sql`at >= ${at - (at % DAY_MS)}`;
  const spender = sql`(select max(agent_id) from usage join agent on agent.id = agent_id
    where repository_id = ${repositoryId} and usage.${today})`;
  const tasks = sql`(${here}) or ${openTask} or sprint_id in (select id from sprint where state in ('IN_PROGRESS', 'CHECKPOINT'))`;
  const agents = sql`${live} or (${here}) or id = ${spender}
    or id in (select assignee_id from task where ${openTask})`;
  const ofAgents = sql`agent_id in (select id from agent where ${agents})`;
  return [
    of("repository", sql`true`),
    of("scope_pause", sql`true`),
    of("provider_park", sql`true`),
    numbered("incident", sql`state = 'open'`),
    numbered("agent", agents),
    numbered("run", ofAgents),
    numbered("session", ofAgents),
    numbered("task", tasks),
    numbered("review_lease", sql`task_id in (select id from task where ${tasks})`),
    numbered(
      "sprint",
      sql`state in ('IN_PROGRESS', 'CHECKPOINT') or id in (select sprint_id from task where ${here})`,
    ),
    numbered("goal", sql`state = 'IN_PROGRESS' or (${here})`),
    numbered("question", sql`agent_id in ${mine}`),
    numbered("approval", sql`agent_id in ${mine}`),
    numbered("wake", sql`state = 'pending' or agent_id in ${mine}`),
    numbered("intent", sql`state = 'recorded' or agent_id in ${mine}`),
    numbered("verdict", sql`task_id in (select id from task where ${here})`),
    numbered(
      "decision",
      sql`(${here} and rule = 'foreign_commit')
        or id in (select id from decision where ${here} order by id desc limit ${sql.lit(DECISIONS)})`,
    ),
    numbered("effect", sql`state in ('pending', 'leased')`),
    numbered("transition", sql`machine = 'agent' and event = 'START' and at >= ${at - DAY_MS}`),
    numbered(
      "tool_call",
      sql`id in (select id from (
        select id, row_number() over (partition by agent_id order by id desc) as nth
        from tool_call where agent_id in ${mine}) where nth <= ${sql.lit(CALLS)})`,
      sql`id, agent_id, tool_call_id, tool, substr(input, 1, 1000) as input, turn, status, null as output,
        started_at, ended_at, duration_ms`,
    ),
    {
      table: "usage",
      rows: sql`select max(usage.id) as id, ${spender} as agent_id, max(at) as at, '' as model, 0 as input_tokens,
        0 as output_tokens, 0 as cached_tokens, sum(usage.cost_micro_usd) as cost_micro_usd
        from usage join agent on agent.id = agent_id
        where repository_id = ${repositoryId} and ${today} having count(*) > 0`,
    },
    of("day_grant", sql`repository_id = ${repositoryId} and day = ${Math.floor(at / DAY_MS)}`),
    of(
      "blockers",
      sql`(${here}) or instr(blockers, ${`"number":${issue}`}) > 0
        or (repository_id, issue) in (select repository_id, issue from agent where ${live})`,
    ),
    of(
      "seen_pull",
      sql`(repository_id, pull) in (select repository_id, pr_number from agent where ${agents})`,
    ),
    of("issue_text", here),
  ];
}

function of(table: string, condition: RawBuilder<unknown>, columns = sql`*`): Part {
  return { table, rows: sql`select ${columns} from ${sql.table(table)} where ${condition}` };
}

/** Of a table whose rows have numbers: the last one too. */
function numbered(table: string, condition: RawBuilder<unknown>, columns?: RawBuilder<unknown>): Part {
  return of(table, sql`${condition} or id = (select max(id) from ${sql.table(table)})`, columns);
}
