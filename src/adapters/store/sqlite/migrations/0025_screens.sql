-- Pictures of the app before and after an agent's work, as lossless WebP.
CREATE TABLE screen (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
  commit_sha TEXT NOT NULL,
  base_commit TEXT,
  digest TEXT NOT NULL,
  page TEXT NOT NULL,
  size TEXT NOT NULL,
  before_fault TEXT,
  after_fault TEXT,
  changed REAL CHECK (changed BETWEEN 0 AND 1),
  created_at INTEGER NOT NULL,
  before BLOB,
  after BLOB,
  difference BLOB
) STRICT;
CREATE INDEX screen_of_agent ON screen (agent_id);
CREATE INDEX screen_of_base ON screen (base_commit, digest);
