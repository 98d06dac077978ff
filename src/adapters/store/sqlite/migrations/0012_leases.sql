ALTER TABLE effect ADD COLUMN lease_token TEXT;
ALTER TABLE effect ADD COLUMN lease_node TEXT;
ALTER TABLE delivery ADD COLUMN lease_token TEXT;
ALTER TABLE delivery ADD COLUMN lease_node TEXT;
ALTER TABLE delivery ADD COLUMN leased_until INTEGER;
