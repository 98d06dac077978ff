-- A version without these columns begins a life without them: they hold for the life whose epoch `told_epoch` is.
ALTER TABLE node ADD COLUMN told_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN reads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN drain_until INTEGER;
