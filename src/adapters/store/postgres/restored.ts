import type pg from "pg";
import { z } from "zod";

const identity = z.object({ system_identifier: z.coerce.string(), timeline: z.coerce.number() });

const HERE = `SELECT system.system_identifier::text AS system_identifier, checkpoint.timeline_id AS timeline
  FROM pg_control_system() AS system, pg_control_checkpoint() AS checkpoint`;

/**
 * Marks the database as restored where another server held it when it was opened last, or the server has begun another
 * timeline: it was restored or a standby took over, and what was done outside in between may be missing in it.
 */
export async function noteRestored(client: Pick<pg.ClientBase, "query">, now: number): Promise<void> {
  await client.query("BEGIN");
  try {
    const here = identity.parse((await client.query(HERE)).rows[0]);
    const { rows } = await client.query("SELECT system_identifier, timeline FROM server FOR UPDATE");
    const before = rows[0] === undefined ? undefined : identity.parse(rows[0]);
    const isSame =
      before === undefined ||
      (before.system_identifier === here.system_identifier && before.timeline === here.timeline);
    if (!isSame) {
      await client.query(
        "INSERT INTO restored (id, copied_at, opened_at) VALUES (1, $1, $1) ON CONFLICT (id) DO UPDATE SET opened_at = $1",
        [now],
      );
      await client.query("UPDATE effect SET uncertain = 1 WHERE state IN ('pending', 'leased')");
    }
    // What was copied out of another database is opened for the first time.
    await client.query("UPDATE restored SET opened_at = $1 WHERE opened_at IS NULL", [now]);
    await client.query(
      "INSERT INTO server (id, system_identifier, timeline) VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET system_identifier = $1, timeline = $2",
      [here.system_identifier, here.timeline],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
