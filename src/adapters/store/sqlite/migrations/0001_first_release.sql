-- The schema of flotilla 0.1.0.

-- Machines: a table for each of them, and the repository that they belong to.
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
CREATE INDEX agent_since ON agent (state, CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END);
CREATE INDEX agent_of_name ON agent (repository_id, name COLLATE NOCASE);
CREATE INDEX agent_of_pull ON agent (repository_id, pr_number);
CREATE INDEX agent_of_parent ON agent (parent_agent_id) WHERE parent_agent_id IS NOT NULL;
CREATE INDEX agent_ended ON agent (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX agent_of_line ON agent (line) WHERE line IS NOT NULL;
CREATE INDEX agent_may_expire ON agent (sleeping_since, id)
  WHERE state = 'SLEEPING' AND sleep_reason NOT IN ('review', 'question') AND held_by = '[]';
CREATE INDEX agent_at_work ON agent (repository_id, state);
CREATE INDEX agent_due ON agent (state, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX agent_ends ON agent (created_at + ttl_ms)
  WHERE ttl_ms IS NOT NULL AND state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED');
CREATE INDEX agent_may_be_reminded ON agent (sleeping_since, id)
  WHERE reminders < 2 AND (state = 'ESCALATED'
    OR (state = 'SLEEPING' AND sleep_reason IN ('review', 'approval', 'paused')));
CREATE INDEX agent_left ON agent (id)
  WHERE worktree_path IS NOT NULL AND state IN ('COMPLETED', 'FAILED', 'CANCELLED');
CREATE INDEX agent_gave_up ON agent (repository_id, ended_at, issue) WHERE state IN ('FAILED', 'CANCELLED');
CREATE INDEX agent_waits ON agent (CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END)
  WHERE state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (state = 'ESCALATED'
    OR sleep_reason IN ('paused', 'question', 'approval', 'review', 'retry', 'provider_limit')
    OR instr(held_by, '"person"') > 0 OR instr(held_by, '"commit"') > 0
    OR instr(held_by, '"invariant"') > 0);

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
  created_at INTEGER NOT NULL,
  error_code TEXT
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
CREATE INDEX session_in_state ON session (state);

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
  created_at INTEGER NOT NULL,
  rounds_granted INTEGER NOT NULL DEFAULT 0,
  abandoned_reason TEXT
) STRICT;
CREATE UNIQUE INDEX task_one_open ON task (repository_id, issue)
  WHERE state NOT IN ('MERGED', 'SUPERSEDED', 'ABANDONED');
CREATE INDEX task_of_issue ON task (repository_id, issue);
CREATE INDEX task_of_assignee ON task (assignee_id);
CREATE INDEX task_of_sprint ON task (sprint_id);
CREATE INDEX task_of_state ON task (state);
CREATE INDEX task_of_line ON task (line) WHERE line IS NOT NULL;
CREATE INDEX task_lease ON task (state, lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX task_queued ON task (repository_id, id)
  WHERE state IN ('APPROVED', 'INTEGRATION_FAILED')
    OR (integration_fix = 1 AND state IN ('CLAIMED', 'READY_FOR_REVIEW', 'REJECTED'));
CREATE INDEX task_approved ON task (repository_id, id) WHERE state = 'APPROVED';
CREATE INDEX task_waits ON task (created_at, id)
  WHERE state IN ('READY_FOR_REVIEW', 'REJECTED', 'APPROVED', 'BLOCKED', 'INTEGRATION_FAILED');

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
CREATE INDEX review_lease_of_holder ON review_lease (holder_id) WHERE holder_id IS NOT NULL;
CREATE INDEX review_lease_held ON review_lease (lease_until, id) WHERE state = 'HELD';

-- The inbox. The payload is the last column: a read of the others does not touch its pages.
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
CREATE TABLE replay_input (
  guid TEXT PRIMARY KEY,
  repository_id INTEGER,
  issue INTEGER,
  at INTEGER NOT NULL,
  answers TEXT NOT NULL,
  known BLOB,
  began TEXT,
  ended TEXT
) STRICT;
CREATE INDEX replay_input_of_issue ON replay_input (repository_id, issue);
CREATE INDEX replay_input_in_time ON replay_input (at);

CREATE TABLE sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;

-- Only in a backup, and in a database that was restored from one.
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
CREATE INDEX transition_wait ON transition (agent_id) WHERE machine = 'agent' AND event = 'WAIT';
CREATE INDEX transition_made ON transition (actor COLLATE NOCASE, record_id)
  WHERE machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN');

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
  delivery TEXT,
  after_transition INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX decision_of_issue ON decision (repository_id, issue);
CREATE INDEX decision_of_agent ON decision (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX decision_foreign_commit ON decision (repository_id, issue) WHERE rule = 'foreign_commit';

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
  WHERE state = 'done' AND kind IN
    ('look_at_issue', 'look_at_checks', 'look_at_blockers', 'look_at_review_checks', 'recheck_blocker');
CREATE INDEX effect_in_order ON effect (agent_id);
CREATE INDEX effect_opened_issue ON effect
  (repository_id, CASE WHEN json_valid(result) THEN result ->> '$.number' END)
  WHERE kind IN ('create_blocker_issue', 'create_sub_issue');
CREATE INDEX effect_shown ON effect (lane, kind, id) WHERE kind IN ('status_comment', 'react');

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
CREATE INDEX wake_of_agent ON wake (agent_id);

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
CREATE INDEX intent_of_agent ON intent (agent_id);

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
CREATE INDEX touch_of_issue ON touch (repository_id, issue);

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

-- People: what they were asked and answered. Then verdicts and evidence, by which work is judged.
CREATE TABLE question (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'ANSWERED', 'TIMED_OUT', 'WITHDRAWN')),
  text TEXT NOT NULL,
  options TEXT NOT NULL,
  recommended TEXT,
  default_option TEXT,
  deadline_at INTEGER NOT NULL,
  asked_of TEXT NOT NULL,
  comment_id INTEGER,
  answer TEXT,
  answered_by TEXT,
  via TEXT CHECK (via IN ('reply', 'checkbox', 'reaction', 'command', 'time-out')),
  answered_at INTEGER,
  reminded_at INTEGER,
  second_asked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX question_of_agent ON question (agent_id);
CREATE INDEX question_unsettled ON question (id) WHERE state IN ('OPEN', 'TIMED_OUT');

CREATE TABLE approval (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  token INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'granted', 'used', 'denied')),
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  tool TEXT NOT NULL,
  input TEXT NOT NULL,
  hash TEXT NOT NULL,
  decided_by TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE UNIQUE INDEX approval_asked ON approval (agent_id, token, hash) WHERE state = 'asked';
CREATE INDEX approval_of_agent ON approval (agent_id, hash);

CREATE TABLE verdict (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task (id),
  agent_id INTEGER REFERENCES agent (id),
  reviewer TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('current', 'dropped')),
  commit_sha TEXT NOT NULL,
  approves INTEGER NOT NULL CHECK (approves IN (0, 1)),
  body TEXT NOT NULL,
  comments TEXT NOT NULL,
  evidence TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  account INTEGER
) STRICT;
CREATE INDEX verdict_of_task ON verdict (task_id);
CREATE INDEX verdict_of_reviewer ON verdict (reviewer, id);
CREATE INDEX verdict_of_agent ON verdict (agent_id) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX verdict_one_of_account ON verdict (task_id, account, commit_sha)
  WHERE state = 'current' AND account IS NOT NULL;
CREATE UNIQUE INDEX verdict_one_of_role ON verdict (task_id, reviewer, commit_sha)
  WHERE state = 'current' AND agent_id IS NOT NULL;

CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  run_id INTEGER NOT NULL REFERENCES run (id),
  intent_id INTEGER REFERENCES intent (id),
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'command', 'missing', 'evaluation')),
  commit_sha TEXT,
  command TEXT,
  holds INTEGER NOT NULL CHECK (holds IN (0, 1)),
  exit_code INTEGER,
  timed_out INTEGER NOT NULL CHECK (timed_out IN (0, 1)),
  output TEXT NOT NULL,
  duration_ms INTEGER,
  digest TEXT,
  missing TEXT,
  confidence REAL CHECK (confidence BETWEEN 0 AND 1),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_of_agent ON evidence (agent_id);
CREATE INDEX evidence_of_intent ON evidence (intent_id);
CREATE INDEX evidence_of_run ON evidence (run_id);

CREATE TABLE handoff (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  session_id TEXT,
  cause TEXT NOT NULL CHECK (cause IN ('context', 'no_progress', 'session_lost', 'model_change')),
  written_by TEXT NOT NULL CHECK (written_by IN ('agent', 'host')),
  summary TEXT NOT NULL,
  next_action TEXT NOT NULL,
  repeated TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX handoff_of_agent ON handoff (agent_id);

CREATE TABLE archive (
  agent_id INTEGER PRIMARY KEY REFERENCES agent (id),
  path TEXT,
  sha256 TEXT,
  bytes INTEGER,
  made_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  removed_at INTEGER,
  CHECK ((path IS NULL) = (sha256 IS NULL) AND (path IS NULL) = (bytes IS NULL))
) STRICT;
CREATE INDEX archive_kept ON archive (expires_at) WHERE removed_at IS NULL;

CREATE TABLE seen_check (
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  ref TEXT NOT NULL,
  name TEXT NOT NULL,
  run TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('green', 'red')),
  conclusion TEXT NOT NULL,
  fingerprint TEXT,
  job TEXT,
  step TEXT,
  log TEXT NOT NULL,
  excused INTEGER NOT NULL CHECK (excused IN (0, 1)),
  rerun TEXT CHECK (rerun IN ('asked', 'refused')),
  rerun_at INTEGER,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (repository_id, ref, name, run)
) STRICT;
CREATE INDEX seen_check_red ON seen_check (repository_id, name, fingerprint) WHERE state = 'red';

CREATE TABLE repository_file (
  repository_id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  override TEXT NOT NULL,
  source TEXT,
  faults TEXT NOT NULL,
  read_at INTEGER NOT NULL
) STRICT;

CREATE TABLE seen_pull (
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  pull INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  changed_lines INTEGER,
  asked TEXT NOT NULL,
  PRIMARY KEY (repository_id, pull)
) STRICT;

CREATE TABLE issue_text (
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  issue INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  approved_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (repository_id, issue)
) STRICT;

CREATE TABLE check_attempt (
  task_id INTEGER NOT NULL REFERENCES task (id),
  commit_sha TEXT NOT NULL,
  check_name TEXT NOT NULL,
  fingerprint TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (task_id, commit_sha, check_name)
) STRICT;

CREATE TABLE progress (
  agent_id INTEGER PRIMARY KEY REFERENCES agent (id),
  progress TEXT NOT NULL,
  move_id INTEGER NOT NULL,
  wake_id INTEGER NOT NULL
) STRICT;

CREATE TABLE incident (
  id INTEGER PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  scope TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  text TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repository (id),
  first_issue INTEGER NOT NULL,
  issue INTEGER,
  opened_at INTEGER NOT NULL,
  probe_at INTEGER NOT NULL,
  probe_agent_id INTEGER REFERENCES agent (id),
  probe_since INTEGER,
  failed_probes INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;

-- AUTOINCREMENT: the id is a cursor, and rows at the end may be deleted.
CREATE TABLE run_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  agent_id INTEGER REFERENCES agent (id),
  run_id INTEGER REFERENCES run (id),
  repository_id INTEGER NOT NULL,
  issue INTEGER NOT NULL,
  turn INTEGER,
  type TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX run_event_of_agent ON run_event (agent_id);
CREATE INDEX run_event_token ON run_event (agent_id, id, at) WHERE type = 'stream:token';
CREATE INDEX run_event_of_run ON run_event (run_id);

-- Openings that are tried alone, because the process ended during an earlier one.
CREATE TABLE lone_opening (
  agent_id INTEGER NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
  step TEXT NOT NULL CHECK (step IN ('worktree', 'conversation')),
  begun INTEGER NOT NULL,
  PRIMARY KEY (agent_id, step)
) STRICT, WITHOUT ROWID;

-- Sums and lists that triggers keep, so that no read counts all rows; nothing else writes them.

-- Agents and tasks by state.
CREATE TABLE tally (
  machine TEXT NOT NULL CHECK (machine IN ('agent', 'task')),
  repository_id INTEGER NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (machine, repository_id, role, state)
) STRICT;

CREATE TRIGGER agent_added AFTER INSERT ON agent BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('agent', NEW.repository_id, NEW.role, NEW.state, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER agent_moved AFTER UPDATE OF state ON agent WHEN NEW.state != OLD.state BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('agent', OLD.repository_id, OLD.role, OLD.state, -1)
  ON CONFLICT DO UPDATE SET count = count + -1;
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('agent', NEW.repository_id, NEW.role, NEW.state, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER agent_removed AFTER DELETE ON agent BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('agent', OLD.repository_id, OLD.role, OLD.state, -1)
  ON CONFLICT DO UPDATE SET count = count + -1;
END;

CREATE TRIGGER task_added AFTER INSERT ON task BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('task', NEW.repository_id, '', NEW.state, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER task_moved AFTER UPDATE OF state ON task WHEN NEW.state != OLD.state BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('task', OLD.repository_id, '', OLD.state, -1)
  ON CONFLICT DO UPDATE SET count = count + -1;
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('task', NEW.repository_id, '', NEW.state, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER task_removed AFTER DELETE ON task BEGIN
  INSERT INTO tally (machine, repository_id, role, state, count)
  VALUES ('task', OLD.repository_id, '', OLD.state, -1)
  ON CONFLICT DO UPDATE SET count = count + -1;
END;

-- Costs by day.
CREATE TABLE day_cost (
  repository_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  PRIMARY KEY (repository_id, day)
) STRICT;

CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
  INSERT INTO day_cost (repository_id, day, cost_micro_usd)
  SELECT repository_id, NEW.at / 86400000, NEW.cost_micro_usd FROM agent WHERE id = NEW.agent_id
  ON CONFLICT DO UPDATE SET cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd;
END;

-- Who waits for an issue, by that issue. A damaged text counts as empty: a trigger must not refuse the write that brings it.
CREATE TABLE reported_blocker (
  repository_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  agent_id INTEGER NOT NULL,
  PRIMARY KEY (repository_id, number, agent_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER agent_waits_added AFTER INSERT ON agent WHEN NEW.blocked_by != '[]' BEGIN
  INSERT INTO reported_blocker (repository_id, number, agent_id)
  SELECT DISTINCT NEW.repository_id, one.value, NEW.id
  FROM json_each(CASE WHEN json_valid(NEW.blocked_by) THEN NEW.blocked_by ELSE '[]' END) AS one
  WHERE one.type = 'integer';
END;

CREATE TRIGGER agent_waits_changed AFTER UPDATE OF blocked_by ON agent WHEN NEW.blocked_by != OLD.blocked_by BEGIN
  DELETE FROM reported_blocker WHERE agent_id = OLD.id AND repository_id = OLD.repository_id
    AND number IN (SELECT one.value
      FROM json_each(CASE WHEN json_valid(OLD.blocked_by) THEN OLD.blocked_by ELSE '[]' END) AS one);
  INSERT INTO reported_blocker (repository_id, number, agent_id)
  SELECT DISTINCT NEW.repository_id, one.value, NEW.id
  FROM json_each(CASE WHEN json_valid(NEW.blocked_by) THEN NEW.blocked_by ELSE '[]' END) AS one
  WHERE one.type = 'integer';
END;

CREATE TRIGGER agent_waits_removed AFTER DELETE ON agent WHEN OLD.blocked_by != '[]' BEGIN
  DELETE FROM reported_blocker WHERE agent_id = OLD.id AND repository_id = OLD.repository_id
    AND number IN (SELECT one.value
      FROM json_each(CASE WHEN json_valid(OLD.blocked_by) THEN OLD.blocked_by ELSE '[]' END) AS one);
END;

-- The same for issues that GitHub links.
CREATE TABLE linked_blocker (
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  repository_id INTEGER NOT NULL,
  issue INTEGER NOT NULL,
  PRIMARY KEY (number, repository, repository_id, issue)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER blockers_added AFTER INSERT ON blockers WHEN NEW.blockers != '[]' BEGIN
  INSERT INTO linked_blocker (repository, number, repository_id, issue)
  SELECT DISTINCT lower(one.value ->> 'repository'), one.value ->> 'number', NEW.repository_id, NEW.issue
  FROM json_each(CASE WHEN json_valid(NEW.blockers) THEN NEW.blockers ELSE '[]' END) AS one
  WHERE one.type = 'object' AND one.value ->> 'repository' IS NOT NULL
    AND typeof(one.value ->> 'number') = 'integer';
END;

CREATE TRIGGER blockers_changed AFTER UPDATE OF blockers ON blockers WHEN NEW.blockers != OLD.blockers BEGIN
  DELETE FROM linked_blocker WHERE repository_id = OLD.repository_id AND issue = OLD.issue
    AND (repository, number) IN (SELECT lower(one.value ->> 'repository'), one.value ->> 'number'
      FROM json_each(CASE WHEN json_valid(OLD.blockers) THEN OLD.blockers ELSE '[]' END) AS one
      WHERE one.type = 'object' AND one.value ->> 'repository' IS NOT NULL
        AND typeof(one.value ->> 'number') = 'integer');
  INSERT INTO linked_blocker (repository, number, repository_id, issue)
  SELECT DISTINCT lower(one.value ->> 'repository'), one.value ->> 'number', NEW.repository_id, NEW.issue
  FROM json_each(CASE WHEN json_valid(NEW.blockers) THEN NEW.blockers ELSE '[]' END) AS one
  WHERE one.type = 'object' AND one.value ->> 'repository' IS NOT NULL
    AND typeof(one.value ->> 'number') = 'integer';
END;

CREATE TRIGGER blockers_removed AFTER DELETE ON blockers WHEN OLD.blockers != '[]' BEGIN
  DELETE FROM linked_blocker WHERE repository_id = OLD.repository_id AND issue = OLD.issue
    AND (repository, number) IN (SELECT lower(one.value ->> 'repository'), one.value ->> 'number'
      FROM json_each(CASE WHEN json_valid(OLD.blockers) THEN OLD.blockers ELSE '[]' END) AS one
      WHERE one.type = 'object' AND one.value ->> 'repository' IS NOT NULL
        AND typeof(one.value ->> 'number') = 'integer');
END;

-- Tags and labels, by which agents are found.
CREATE TABLE agent_mark (
  mark TEXT NOT NULL,
  agent_id INTEGER NOT NULL,
  PRIMARY KEY (mark, agent_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER agent_mark_added AFTER INSERT ON agent WHEN NEW.tags != '[]' OR NEW.labels != '[]' BEGIN
  INSERT INTO agent_mark (mark, agent_id)
    SELECT 'tag:' || value AS mark, NEW.id AS agent_id FROM json_each(NEW.tags)
    UNION ALL SELECT 'label:' || value, NEW.id FROM json_each(NEW.labels);
END;

CREATE TRIGGER agent_mark_changed AFTER UPDATE OF tags, labels ON agent
  WHEN NEW.tags != OLD.tags OR NEW.labels != OLD.labels BEGIN
  DELETE FROM agent_mark WHERE (mark, agent_id) IN (
    SELECT 'tag:' || value AS mark, OLD.id AS agent_id FROM json_each(OLD.tags)
    UNION ALL SELECT 'label:' || value, OLD.id FROM json_each(OLD.labels));
  INSERT INTO agent_mark (mark, agent_id)
    SELECT 'tag:' || value AS mark, NEW.id AS agent_id FROM json_each(NEW.tags)
    UNION ALL SELECT 'label:' || value, NEW.id FROM json_each(NEW.labels);
END;

CREATE TRIGGER agent_mark_removed AFTER DELETE ON agent WHEN OLD.tags != '[]' OR OLD.labels != '[]' BEGIN
  DELETE FROM agent_mark WHERE (mark, agent_id) IN (
    SELECT 'tag:' || value AS mark, OLD.id AS agent_id FROM json_each(OLD.tags)
    UNION ALL SELECT 'label:' || value, OLD.id FROM json_each(OLD.labels));
END;
