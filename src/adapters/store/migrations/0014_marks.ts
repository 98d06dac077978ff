import type { Migration } from "./migration.ts";

const marksOf = (row: "NEW" | "OLD") =>
  `SELECT 'tag:' || value AS mark, ${row}.id AS agent_id FROM json_each(${row}.tags)
    UNION ALL SELECT 'label:' || value, ${row}.id FROM json_each(${row}.labels)`;

const put = `
  INSERT INTO agent_mark (mark, agent_id) ${marksOf("NEW")};`;
const take = `
  DELETE FROM agent_mark WHERE (mark, agent_id) IN (${marksOf("OLD")});`;

/** By which agents are found: tags and labels, kept up to date as they are set, and who had an agent made. */
export const marks: Migration = {
  name: "0014_marks",
  sql: `
CREATE TABLE agent_mark (
  mark TEXT NOT NULL,
  agent_id INTEGER NOT NULL,
  PRIMARY KEY (mark, agent_id)
) STRICT, WITHOUT ROWID;

INSERT INTO agent_mark (mark, agent_id)
  SELECT 'tag:' || value, agent.id FROM agent, json_each(agent.tags)
  UNION ALL SELECT 'label:' || value, agent.id FROM agent, json_each(agent.labels);

CREATE TRIGGER agent_mark_added AFTER INSERT ON agent WHEN NEW.tags != '[]' OR NEW.labels != '[]' BEGIN${put}
END;

CREATE TRIGGER agent_mark_changed AFTER UPDATE OF tags, labels ON agent
  WHEN NEW.tags != OLD.tags OR NEW.labels != OLD.labels BEGIN${take}${put}
END;

CREATE TRIGGER agent_mark_removed AFTER DELETE ON agent WHEN OLD.tags != '[]' OR OLD.labels != '[]' BEGIN${take}
END;

CREATE INDEX transition_made ON transition (actor COLLATE NOCASE, record_id)
  WHERE machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN');
`,
};
