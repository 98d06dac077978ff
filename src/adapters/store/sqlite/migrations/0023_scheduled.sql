-- The last time of each schedule is looked up for people, among all effects that there ever were.
CREATE INDEX effect_scheduled ON effect (lane, id) WHERE kind = 'open_scheduled';
