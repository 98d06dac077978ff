import type pg from "pg";
import type { NewDelivery } from "../../../domain/kernel/rows.ts";
import type { DeliveryTable } from "../../../domain/ports/store.ts";
import { inOurWords, withoutNul } from "./connect.ts";
import type { Location } from "./location.ts";

/** Inserts each delivery once; a dead one becomes pending again. */
const INSERT = `
  INSERT INTO delivery (guid, event, action, installation_id, repository_id, lane, payload, received_at,
                        state, attempts, not_before)
  SELECT guid, event, action, installation_id, repository_id, lane, payload, received_at, 'pending', 0, 0
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::bigint[])
    AS given (guid, event, action, installation_id, repository_id, lane, payload, received_at)
  ON CONFLICT (guid) DO UPDATE
    SET state = 'pending', attempts = 0, not_before = 0, note = NULL, settled_at = NULL
    WHERE delivery.state = 'dead'`;

/**
 * Inserts deliveries by one statement, whatever their number, which is a transaction of its own: no work of the engine
 * delays it. Webhooks are stored as they came, but for NUL.
 */
export function insertDeliveries(pool: pg.Pool, location: Location): DeliveryTable["insert"] {
  return async (deliveries) => {
    const news = [...new Map(deliveries.map((delivery) => [delivery.guid, delivery])).values()];
    const column = (name: keyof NewDelivery) => news.map((delivery) => clean(delivery[name]));
    const values = [
      column("guid"),
      column("event"),
      column("action"),
      column("installationId"),
      column("repositoryId"),
      column("lane"),
      column("payload"),
      column("receivedAt"),
    ];
    await pool.query({ name: "insert deliveries", text: INSERT, values }).catch((error: unknown) => {
      throw inOurWords(error, location);
    });
  };
}

const clean = (value: string | number | null) => (typeof value === "string" ? withoutNul(value) : value);
