CREATE TABLE node (
  name TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  version TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  stopped INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Each round that only one node at a time may run, and who runs it until when. The token is the holder's epoch.
CREATE TABLE round (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  token INTEGER NOT NULL,
  held_until INTEGER NOT NULL
) STRICT;
