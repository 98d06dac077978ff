import type { DeliveryTable } from "../core/ports/store.ts";
import type { InboxJournal, Keep } from "./inbox-journal.ts";

/** The inbox with its journal before it: who writes meets only the file, who looks finds everything in the database. */
export function inbox(table: DeliveryTable, journal: InboxJournal, keep: Keep): DeliveryTable {
  const moved = () => journal.move(keep);
  return {
    ...table,
    insert: (deliveries) => journal.append(deliveries),
    claim: (options) => moved().then(() => table.claim(options)),
    get: (guid) => moved().then(() => table.get(guid)),
    list: (where, limit) => moved().then(() => table.list(where, limit)),
    replay: (guid) => moved().then(() => table.replay(guid)),
    known: (guids) => moved().then(() => table.known(guids)),
  };
}
