CREATE TABLE tool_call_of_now (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agent (id),
  tool_call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  input TEXT NOT NULL,
  turn INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'success', 'failure', 'denied', 'interrupted')),
  asked TEXT,
  output TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  duration_ms INTEGER
) STRICT;
INSERT INTO tool_call_of_now (id, agent_id, tool_call_id, tool, input, turn, status, output, started_at, ended_at, duration_ms)
SELECT id, agent_id, tool_call_id, tool, input, turn, status, output, started_at, ended_at, duration_ms FROM tool_call;
DROP TABLE tool_call;
ALTER TABLE tool_call_of_now RENAME TO tool_call;
CREATE INDEX tool_call_of_agent ON tool_call (agent_id);
CREATE INDEX tool_call_open ON tool_call (agent_id) WHERE status IN ('pending', 'running');
