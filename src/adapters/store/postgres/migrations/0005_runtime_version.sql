-- The version of the runtime that opened the conversation last; null where nobody knows it.
ALTER TABLE session ADD COLUMN runtime_version TEXT;
