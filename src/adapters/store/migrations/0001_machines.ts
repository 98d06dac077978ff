import type { Migration } from "./migration.ts";

/** What the machines move: a table for each of them, and the repository that they belong to. */
export const machines: Migration = {
  name: "0001_machines",
  sql: `
CREATE TABLE repository (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  installation_id INTEGER NOT NULL,
  private INTEGER NOT NULL CHECK (private IN (0, 1)),
  default_branch TEXT NOT NULL,
  seen INTEGER NOT NULL
) STRICT;

CREATE TABLE scope_pause (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL CHECK (scope = 'all' OR scope GLOB 'repository:[0-9]*'),
  holder TEXT NOT NULL CHECK (holder IN ('person', 'incident', 'suspended', 'archived')),
  by TEXT NOT NULL,
  reason TEXT,
  since INTEGER NOT NULL,
  UNIQUE (scope, holder)
) STRICT;

CREATE TABLE agent (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  issue INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  coder INTEGER NOT NULL CHECK (coder IN (0, 1)),
  line INTEGER REFERENCES agent (id),
  ephemeral INTEGER NOT NULL CHECK (ephemeral IN (0, 1)),
  plan_first INTEGER NOT NULL CHECK (plan_first IN (0, 1)),
  held_by TEXT NOT NULL,
  sleep_reason TEXT,
  due_at INTEGER,
  blocked_by TEXT NOT NULL,
  blocked_elsewhere TEXT NOT NULL,
  session_id TEXT,
  session_count INTEGER NOT NULL,
  branch TEXT,
  base_commit TEXT,
  head_commit TEXT,
  worktree_path TEXT,
  pr_number INTEGER,
  parent_agent_id INTEGER REFERENCES agent (id),
  runtime TEXT NOT NULL,
  mode TEXT NOT NULL,
  node TEXT NOT NULL,
  labels TEXT NOT NULL,
  tags TEXT NOT NULL,
  ttl_ms INTEGER,
  reason TEXT,
  category TEXT,
  breaker TEXT,
  created_at INTEGER NOT NULL,
  active_since INTEGER,
  sleeping_since INTEGER,
  reminders INTEGER NOT NULL,
  last_activity_at INTEGER,
  ended_at INTEGER,
  wakes INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  active_ms INTEGER NOT NULL,
  restarts INTEGER NOT NULL,
  nudges INTEGER NOT NULL,
  extra_turns INTEGER NOT NULL,
  extra_tool_calls INTEGER NOT NULL,
  extra_wakes INTEGER NOT NULL,
  extra_tokens INTEGER NOT NULL,
  extra_cost_micro_usd INTEGER NOT NULL,
  extra_active_ms INTEGER NOT NULL,
  extensions INTEGER NOT NULL,
  warned TEXT NOT NULL,
  lease_until INTEGER,
  token INTEGER NOT NULL,
  UNIQUE (repository_id, name)
) STRICT;
CREATE UNIQUE INDEX agent_one_live_of_role ON agent (repository_id, issue, role)
  WHERE state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED');
CREATE UNIQUE INDEX agent_one_live_coder ON agent (repository_id, issue)
  WHERE coder = 1 AND state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED');
CREATE INDEX agent_of_issue ON agent (repository_id, issue);
CREATE INDEX agent_in_state ON agent (state, role);

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('idle', 'initializing', 'planning', 'executing', 'evaluating', 'adapting', 'waiting_input',
     'waiting_agent', 'waiting_approval', 'paused', 'error', 'succeeded', 'failed', 'cancelled')),
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  remembered TEXT,
  plan TEXT,
  step INTEGER NOT NULL,
  iteration INTEGER NOT NULL,
  bounces INTEGER NOT NULL,
  confidence REAL,
  waiting_for TEXT,
  error TEXT,
  turn_limit INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX run_of_agent ON run (agent_id);

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('unspecified', 'starting', 'running', 'idle', 'waiting_approval', 'paused', 'stopping', 'stopped', 'failed')),
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  session_id TEXT NOT NULL,
  reason TEXT,
  model TEXT,
  lives INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  destroyed_at INTEGER
) STRICT;
CREATE INDEX session_of_agent ON session (agent_id);

CREATE TABLE goal (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('IN_PROGRESS', 'COMPLETED', 'ABORTED')),
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  title TEXT NOT NULL,
  milestone INTEGER,
  parts TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX goal_of_issue ON goal (repository_id, issue);

CREATE TABLE sprint (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('IN_PROGRESS', 'CHECKPOINT', 'COMPLETED', 'ABORTED')),
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  goal_id INTEGER REFERENCES goal (id),
  milestone INTEGER NOT NULL,
  title TEXT NOT NULL,
  reason TEXT,
  due_at INTEGER,
  answered_due_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX sprint_of_milestone ON sprint (repository_id, milestone);

CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('DRAFT', 'UNCLAIMED', 'CLAIMED', 'READY_FOR_REVIEW', 'REJECTED', 'APPROVED', 'INTEGRATION_FAILED',
     'BLOCKED', 'MERGED', 'SUPERSEDED', 'ABANDONED')),
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  title TEXT NOT NULL,
  assignee_id INTEGER REFERENCES agent (id),
  line INTEGER REFERENCES agent (id),
  lease_until INTEGER,
  worktree TEXT,
  base_commit TEXT,
  review_commit TEXT,
  verdicts TEXT NOT NULL,
  merge_commit TEXT,
  rejection_reason TEXT,
  blocked_reason TEXT,
  integration_reason TEXT,
  superseded_by INTEGER,
  rescope_reason TEXT,
  integration_fix INTEGER NOT NULL CHECK (integration_fix IN (0, 1)),
  review_cycles_current INTEGER NOT NULL,
  review_cycles_total INTEGER NOT NULL,
  failed_by TEXT NOT NULL,
  sprint_id INTEGER REFERENCES sprint (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX task_one_open ON task (repository_id, issue)
  WHERE state NOT IN ('MERGED', 'SUPERSEDED', 'ABANDONED');
CREATE INDEX task_of_issue ON task (repository_id, issue);
CREATE INDEX task_of_assignee ON task (assignee_id);
CREATE INDEX task_of_sprint ON task (sprint_id);

CREATE TABLE review_lease (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('FREE', 'HELD')),
  task_id INTEGER NOT NULL UNIQUE REFERENCES task (id),
  holder_id INTEGER REFERENCES agent (id),
  lease_until INTEGER,
  token INTEGER NOT NULL,
  CHECK (state = 'FREE' OR (holder_id IS NOT NULL AND lease_until IS NOT NULL))
) STRICT;
`,
};
