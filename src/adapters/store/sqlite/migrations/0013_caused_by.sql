ALTER TABLE effect ADD COLUMN delivery TEXT;
ALTER TABLE wake ADD COLUMN delivery TEXT;
UPDATE effect SET delivery = replay_input.guid FROM replay_input
WHERE effect.id > json_extract(replay_input.began, '$.effect') AND effect.id <= json_extract(replay_input.ended, '$.effect');
UPDATE wake SET delivery = replay_input.guid FROM replay_input
WHERE wake.id > json_extract(replay_input.began, '$.wake') AND wake.id <= json_extract(replay_input.ended, '$.wake');
