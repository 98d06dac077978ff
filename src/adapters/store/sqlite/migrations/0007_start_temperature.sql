ALTER TABLE agent ADD COLUMN temperature REAL;
