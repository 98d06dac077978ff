ALTER TABLE task ADD COLUMN rejection_source TEXT;
