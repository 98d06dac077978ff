-- The risk of merging the commit under review, as JSON, where it is above the limit and a person merges.
ALTER TABLE task ADD COLUMN risk_above TEXT NOT NULL DEFAULT 'null';
