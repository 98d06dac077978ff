import type { Migration } from "./migration.ts";

/** Damaged text has no elements: a trigger must not refuse the write that brings it. */
const elements = (column: string) =>
  `json_each(CASE WHEN json_valid(${column}) THEN ${column} ELSE '[]' END) AS one`;

const reported = `
  INSERT INTO reported_blocker (repository_id, number, agent_id)
  SELECT DISTINCT NEW.repository_id, one.value, NEW.id FROM ${elements("NEW.blocked_by")}
  WHERE one.type = 'integer';`;
const unreported = `
  DELETE FROM reported_blocker WHERE agent_id = OLD.id AND repository_id = OLD.repository_id
    AND number IN (SELECT one.value FROM ${elements("OLD.blocked_by")});`;

const issueOf = "lower(one.value ->> 'repository'), one.value ->> 'number'";
const isIssue =
  "one.type = 'object' AND one.value ->> 'repository' IS NOT NULL AND typeof(one.value ->> 'number') = 'integer'";
const linked = `
  INSERT INTO linked_blocker (repository, number, repository_id, issue)
  SELECT DISTINCT ${issueOf}, NEW.repository_id, NEW.issue FROM ${elements("NEW.blockers")}
  WHERE ${isIssue};`;
const unlinked = `
  DELETE FROM linked_blocker WHERE repository_id = OLD.repository_id AND issue = OLD.issue
    AND (repository, number) IN (SELECT ${issueOf} FROM ${elements("OLD.blockers")} WHERE ${isIssue});`;

/**
 * Who waits for an issue, by that issue, so that the rows of everybody else stay unread; and indexes by which the
 * rounds of each second find what is due among thousands of sleepers.
 */
export const waits: Migration = {
  name: "0005_waits",
  sql: `
CREATE TABLE reported_blocker (
  repository_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  agent_id INTEGER NOT NULL,
  PRIMARY KEY (repository_id, number, agent_id)
) STRICT, WITHOUT ROWID;

INSERT INTO reported_blocker (repository_id, number, agent_id)
  SELECT DISTINCT agent.repository_id, one.value, agent.id FROM agent, ${elements("agent.blocked_by")}
  WHERE one.type = 'integer';

CREATE TRIGGER agent_waits_added AFTER INSERT ON agent WHEN NEW.blocked_by != '[]' BEGIN${reported}
END;

CREATE TRIGGER agent_waits_changed AFTER UPDATE OF blocked_by ON agent WHEN NEW.blocked_by != OLD.blocked_by BEGIN${unreported}${reported}
END;

CREATE TRIGGER agent_waits_removed AFTER DELETE ON agent WHEN OLD.blocked_by != '[]' BEGIN${unreported}
END;

CREATE TABLE linked_blocker (
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  repository_id INTEGER NOT NULL,
  issue INTEGER NOT NULL,
  PRIMARY KEY (number, repository, repository_id, issue)
) STRICT, WITHOUT ROWID;

INSERT INTO linked_blocker (repository, number, repository_id, issue)
  SELECT DISTINCT ${issueOf}, blockers.repository_id, blockers.issue
  FROM blockers, ${elements("blockers.blockers")} WHERE ${isIssue};

CREATE TRIGGER blockers_added AFTER INSERT ON blockers WHEN NEW.blockers != '[]' BEGIN${linked}
END;

CREATE TRIGGER blockers_changed AFTER UPDATE OF blockers ON blockers WHEN NEW.blockers != OLD.blockers BEGIN${unlinked}${linked}
END;

CREATE TRIGGER blockers_removed AFTER DELETE ON blockers WHEN OLD.blockers != '[]' BEGIN${unlinked}
END;

CREATE INDEX agent_may_expire ON agent (sleeping_since, id)
  WHERE state = 'SLEEPING' AND sleep_reason NOT IN ('review', 'question') AND held_by = '[]';

CREATE INDEX agent_at_work ON agent (repository_id, state);

CREATE INDEX agent_with_ttl ON agent (state, ttl_ms) WHERE ttl_ms IS NOT NULL;

CREATE INDEX agent_due ON agent (state, due_at) WHERE due_at IS NOT NULL;

CREATE INDEX agent_reminded ON agent (state, sleep_reason, reminders, sleeping_since);

CREATE INDEX task_lease ON task (state, lease_until) WHERE lease_until IS NOT NULL;
`,
};
