CREATE TABLE scope_pause_of_now (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL CHECK (scope = 'all' OR scope GLOB 'repository:[0-9]*'),
  holder TEXT NOT NULL CHECK (holder IN ('person', 'file', 'incident', 'suspended', 'archived')),
  by TEXT NOT NULL,
  reason TEXT,
  since INTEGER NOT NULL,
  UNIQUE (scope, holder)
) STRICT;
INSERT INTO scope_pause_of_now (id, scope, holder, by, reason, since)
SELECT id, scope, holder, by, reason, since FROM scope_pause;
DROP TABLE scope_pause;
ALTER TABLE scope_pause_of_now RENAME TO scope_pause;
