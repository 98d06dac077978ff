-- What people did, the latest first. Each condition must stand in the query literally.
CREATE INDEX transition_by_people ON transition (at, id)
  WHERE actor NOT IN ('flotilla', 'agent') AND (machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN', 'PAUSE', 'RESUME', 'CANCEL', 'WAKE')
    OR machine = 'task' AND event IN ('APPROVE', 'REJECT', 'MERGE', 'OBSERVED_MERGED', 'OBSERVED_CLOSED', 'FINALIZE')
    OR machine = 'goal' AND event IN ('OPEN', 'ABORT') OR machine = 'sprint' AND event IN ('CHECKPOINT', 'CONTINUE', 'ABORT'));
CREATE INDEX approval_decided ON approval (decided_at, id) WHERE decided_by IS NOT NULL;
CREATE INDEX question_answered ON question (answered_at, id) WHERE answered_by IS NOT NULL;
CREATE INDEX day_grant_in_time ON day_grant (at, id);
CREATE INDEX decision_by_people ON decision (at, id) WHERE rule IN ('replayed', 'schedule_asked');
