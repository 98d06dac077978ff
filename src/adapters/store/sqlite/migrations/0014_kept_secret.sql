CREATE TABLE kept_secret (
  name TEXT NOT NULL UNIQUE CHECK (name = 'marker'),
  secret TEXT NOT NULL
) STRICT;
