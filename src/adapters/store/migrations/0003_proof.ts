import type { Migration } from "./migration.ts";

/** What people were asked and said, what the work was judged by, and what one conversation left to the next. */
export const proof: Migration = {
  name: "0003_proof",
  sql: `
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
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX verdict_of_task ON verdict (task_id);
CREATE INDEX verdict_of_reviewer ON verdict (reviewer, id);
CREATE UNIQUE INDEX verdict_one_current ON verdict (task_id, reviewer, commit_sha) WHERE state = 'current';

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

-- AUTOINCREMENT: the id is a cursor, and rows at the end may be deleted.
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
`,
};
