-- The parts of the work that a node has, the key to which tokens are sealed for it, and its room for agents.
ALTER TABLE node ADD COLUMN roles TEXT NOT NULL DEFAULT 'intake,controller,runner,web';
ALTER TABLE node ADD COLUMN public_key TEXT;
ALTER TABLE node ADD COLUMN memory_bytes INTEGER;
ALTER TABLE node ADD COLUMN free_disk_bytes INTEGER;

-- Tokens of GitHub that nodes without the App's key ask for. What is sealed only that life of the node can open.
CREATE TABLE token_request (
  id INTEGER PRIMARY KEY,
  node TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  repository_id INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  sealed TEXT,
  refusal TEXT
) STRICT;

-- Who the App is on GitHub, for nodes that cannot ask.
CREATE TABLE app_identity (
  app_id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL,
  bot_login TEXT NOT NULL,
  bot_id INTEGER NOT NULL
) STRICT;
