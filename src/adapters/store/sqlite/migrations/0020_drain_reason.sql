-- Why a node has drained itself; null where a person did.
ALTER TABLE node ADD COLUMN drain_reason TEXT;
