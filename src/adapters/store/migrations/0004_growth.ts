import type { Migration } from "./migration.ts";

const counted = (table: "agent" | "task", role: (row: string) => string) => {
  const change = (row: "NEW" | "OLD", by: 1 | -1) => `
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('${table}', ${row}.repository_id, ${role(row)}, ${row}.state, ${by})
  ON CONFLICT DO UPDATE SET count = count + ${by};`;
  return `
INSERT INTO tally (machine, repository_id, role, state, count)
  SELECT '${table}', repository_id, ${role(table)}, state, count(*) FROM ${table} GROUP BY 2, 3, 4;

CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN${change("NEW", 1)}
END;

CREATE TRIGGER ${table}_moved AFTER UPDATE OF state ON ${table} WHEN NEW.state != OLD.state BEGIN${change("OLD", -1)}${change("NEW", 1)}
END;

CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN${change("OLD", -1)}
END;
`;
};

/**
 * What keeps reading as fast as on the first day: indexes by which lists are read in pages and rounds find what they
 * need, and sums that are kept up to date as rows come and go: agents and tasks by state, costs by day.
 */
export const growth: Migration = {
  name: "0004_growth",
  sql: `
CREATE INDEX agent_since ON agent (state, CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END);

CREATE INDEX agent_waits ON agent (CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END)
  WHERE state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (state = 'ESCALATED'
    OR sleep_reason IN ('paused', 'question', 'approval', 'review') OR instr(held_by, '"person"') > 0);

CREATE INDEX agent_of_name ON agent (repository_id, name COLLATE NOCASE);

CREATE INDEX agent_of_pull ON agent (repository_id, pr_number);

CREATE INDEX agent_of_parent ON agent (parent_agent_id) WHERE parent_agent_id IS NOT NULL;

CREATE INDEX agent_ended ON agent (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX task_of_state ON task (state);

CREATE INDEX transition_wait ON transition (agent_id) WHERE machine = 'agent' AND event = 'WAIT';

CREATE INDEX effect_in_order ON effect (agent_id);

CREATE INDEX agent_of_line ON agent (line) WHERE line IS NOT NULL;

CREATE INDEX task_of_line ON task (line) WHERE line IS NOT NULL;

CREATE INDEX intent_of_agent ON intent (agent_id);

CREATE INDEX evidence_of_run ON evidence (run_id);

CREATE INDEX decision_of_agent ON decision (agent_id) WHERE agent_id IS NOT NULL;

CREATE INDEX wake_of_agent ON wake (agent_id);

CREATE INDEX verdict_of_agent ON verdict (agent_id) WHERE agent_id IS NOT NULL;

CREATE INDEX review_lease_of_holder ON review_lease (holder_id) WHERE holder_id IS NOT NULL;

CREATE INDEX run_event_of_run ON run_event (run_id);

CREATE TABLE tally (
  machine TEXT NOT NULL CHECK (machine IN ('agent', 'task')),
  repository_id INTEGER NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (machine, repository_id, role, state)
) STRICT;
${counted("agent", (row) => `${row}.role`)}${counted("task", () => "''")}
CREATE TABLE day_cost (
  repository_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  PRIMARY KEY (repository_id, day)
) STRICT;

INSERT INTO day_cost (repository_id, day, cost_micro_usd)
  SELECT agent.repository_id, usage.at / 86400000, sum(usage.cost_micro_usd)
  FROM usage JOIN agent ON agent.id = usage.agent_id GROUP BY 1, 2;

CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
  INSERT INTO day_cost (repository_id, day, cost_micro_usd)
  SELECT repository_id, NEW.at / 86400000, NEW.cost_micro_usd FROM agent WHERE id = NEW.agent_id
  ON CONFLICT DO UPDATE SET cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd;
END;
`,
};
