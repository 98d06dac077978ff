import type { Migration } from "./migration.ts";

/** What comes in, what is decided and recorded about it, and what goes out. */
export const traffic: Migration = {
  name: "0002_traffic",
  sql: `
-- The payload stays the last column: what reads the others does not touch its pages.
CREATE TABLE delivery (
  seq INTEGER PRIMARY KEY,
  guid TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  action TEXT,
  installation_id INTEGER,
  repository_id INTEGER,
  lane TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'done', 'ignored', 'dead')),
  attempts INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  note TEXT,
  received_at INTEGER NOT NULL,
  settled_at INTEGER,
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX delivery_unsettled ON delivery (lane, seq) WHERE state IN ('pending', 'claimed');
-- Holds all that claiming asks for, so that it reads only the rows that it claims.
CREATE INDEX delivery_in_state ON delivery (state, seq, not_before, lane);
CREATE INDEX delivery_with_payload ON delivery (settled_at)
  WHERE state IN ('done', 'ignored') AND payload != '';

CREATE TABLE sign_out (
  session TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT;

-- What a delivery was decided on, for the replay of an issue; goes with the payloads.
CREATE TABLE ground (
  guid TEXT PRIMARY KEY,
  repository_id INTEGER,
  issue INTEGER,
  at INTEGER NOT NULL,
  answers TEXT NOT NULL,
  known BLOB,
  began TEXT,
  ended TEXT
) STRICT;
CREATE INDEX ground_of_issue ON ground (repository_id, issue);
CREATE INDEX ground_in_time ON ground (at);

CREATE TABLE sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;

-- Only in a backup, and in what was restored from it.
CREATE TABLE restored (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  copied_at INTEGER NOT NULL,
  opened_at INTEGER
) STRICT;

CREATE TABLE transition (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  machine TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  agent_id INTEGER REFERENCES agent (id),
  repository_id INTEGER NOT NULL,
  issue INTEGER NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  reason TEXT,
  evidence TEXT NOT NULL,
  delivery TEXT
) STRICT;
CREATE INDEX transition_by_event ON transition (repository_id, event, at);
CREATE INDEX transition_of_agent ON transition (agent_id);
CREATE INDEX transition_failure ON transition (at) WHERE event IN ('FAIL', 'WAIT', 'ESCALATE');
CREATE INDEX transition_of_issue ON transition (repository_id, issue);
CREATE INDEX transition_awake ON transition (at)
  WHERE machine = 'agent' AND (from_state = 'ACTIVE' OR to_state = 'ACTIVE');
CREATE INDEX transition_task_ended ON transition (at)
  WHERE machine = 'task' AND to_state IN ('MERGED', 'ABANDONED');

CREATE TABLE decision (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  repository_id INTEGER,
  issue INTEGER,
  agent_id INTEGER REFERENCES agent (id),
  rule TEXT NOT NULL,
  reason TEXT NOT NULL,
  change TEXT,
  inputs TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  delivery TEXT
) STRICT;
CREATE INDEX decision_of_issue ON decision (repository_id, issue);

CREATE TABLE effect (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  lane TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  agent_id INTEGER REFERENCES agent (id),
  token INTEGER,
  payload TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'done', 'failed', 'skipped')),
  attempts INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  leased_until INTEGER,
  uncertain INTEGER NOT NULL CHECK (uncertain IN (0, 1)),
  lags_until INTEGER NOT NULL,
  result TEXT NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX effect_unsettled ON effect (lane, id) WHERE state IN ('pending', 'leased');
CREATE INDEX effect_in_state ON effect (state, id, not_before, lane);
CREATE INDEX effect_of_agent ON effect (agent_id, kind, state);
CREATE INDEX effect_look ON effect (settled_at)
  WHERE state = 'done' AND kind IN ('look_at_issue', 'look_at_checks', 'look_at_blockers', 'look_at_review_checks', 'recheck_blocker');

CREATE TABLE wake (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  granted TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dropped')),
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX wake_pending ON wake (agent_id) WHERE state = 'pending';
CREATE INDEX wake_delivered ON wake (agent_id, settled_at, id) WHERE state = 'delivered';

CREATE TABLE intent (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  token INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  commit_sha TEXT,
  state TEXT NOT NULL CHECK (state IN ('recorded', 'applied', 'refused')),
  reason TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX intent_one_recorded ON intent (agent_id) WHERE state = 'recorded';

CREATE TABLE tool_call (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  tool_call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  input TEXT NOT NULL,
  turn INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'success', 'failure', 'denied', 'interrupted')),
  output TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  duration_ms INTEGER
) STRICT;
CREATE INDEX tool_call_of_agent ON tool_call (agent_id);
CREATE INDEX tool_call_running ON tool_call (agent_id) WHERE status = 'running';

CREATE TABLE usage (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  at INTEGER NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_of_agent ON usage (agent_id);
CREATE INDEX usage_in_time ON usage (at);

CREATE TABLE touch (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('comment', 'command', 'answer', 'approval', 'review', 'push', 'merge', 'revert')),
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (repository_id, key)
) STRICT;
CREATE INDEX touch_in_time ON touch (at);

CREATE TABLE provider_park (
  account TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  lifted_at INTEGER,
  reason TEXT NOT NULL
) STRICT;

CREATE TABLE blockers (
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  blockers TEXT NOT NULL,
  linked INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (repository_id, issue)
) STRICT;

CREATE TABLE day_grant (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  day INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  agents INTEGER NOT NULL,
  granted_by TEXT NOT NULL,
  issue INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX day_grant_of_day ON day_grant (repository_id, day);
`,
};
