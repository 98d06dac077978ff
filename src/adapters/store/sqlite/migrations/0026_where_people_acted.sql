-- Where people acted: a move was made at once by an act on the page or the command line (1); an answer or a verdict was
-- given on GitHub (1) or not (0), null where nobody knows.
ALTER TABLE transition ADD COLUMN acted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE question ADD COLUMN answered_on_github INTEGER;
ALTER TABLE approval ADD COLUMN decided_on_github INTEGER;
-- The condition must stand in the query literally.
DROP INDEX decision_by_people;
CREATE INDEX decision_by_people ON decision (at, id) WHERE rule IN ('replayed', 'schedule_asked', 'persons_act', 'repository_changed', 'installation_changed');
