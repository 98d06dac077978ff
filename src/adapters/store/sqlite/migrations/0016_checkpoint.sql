CREATE TABLE checkpoint (
  agent_id INTEGER PRIMARY KEY REFERENCES agent (id) ON DELETE CASCADE,
  token INTEGER NOT NULL,
  commit_sha TEXT,
  made_at INTEGER,
  pushed_sha TEXT,
  pushed_made_at INTEGER,
  fault TEXT
) STRICT;
