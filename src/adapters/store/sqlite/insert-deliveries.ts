import type { Database } from "better-sqlite3";
import type { Kysely } from "kysely";
import type { NewDelivery } from "../../../domain/kernel/rows.ts";
import type { DeliveryTable } from "../../../domain/ports/store.ts";
import type { Schema } from "../sql/schema.ts";

/** Inserts a delivery once; a dead one becomes pending again. */
export const INSERT_DELIVERY = `
  insert into delivery (guid, event, action, installation_id, repository_id, lane, payload, received_at,
                        state, attempts, not_before, note, settled_at)
  values (@guid, @event, @action, @installationId, @repositoryId, @lane, @payload, @receivedAt,
          'pending', 0, 0, null, null)
  on conflict (guid) do update
    set state = 'pending', attempts = 0, not_before = 0, note = null, settled_at = null
    where delivery.state = 'dead'`;

/**
 * Inserts deliveries with one prepared statement: webhooks come in bursts, and compiling each batch took
 * longer than writing it. Waits for the connection like every other query, so it is never part of another
 * caller's transaction.
 */
export function insertDeliveries(database: Database, db: Kysely<Schema>): DeliveryTable["insert"] {
  const statement = database.prepare(INSERT_DELIVERY);
  const insertAll = database.transaction((deliveries: readonly NewDelivery[]) => {
    for (const delivery of deliveries) statement.run(delivery);
  });
  return (deliveries) =>
    db.connection().execute(async () => {
      insertAll.immediate(deliveries);
    });
}
