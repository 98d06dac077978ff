-- A version without these columns begins a life without them: they hold for the life whose epoch `told_epoch` is.
ALTER TABLE node
  ADD COLUMN told_epoch BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN reads BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN drain_until BIGINT;
