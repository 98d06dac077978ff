import type { DeliveryRow, NewDelivery } from "../../src/domain/kernel/rows.ts";
import type { DeliveryTable } from "../../src/domain/ports/store.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The part of the inbox that the intake uses, in memory, with what each delivery went through. */
export interface MemoryInbox
  extends Pick<DeliveryTable, "insert" | "claim" | "release" | "settle" | "retry"> {
  readonly rows: ReadonlyMap<string, DeliveryRow>;
  /** Sizes of the groups that were inserted. */
  readonly groups: readonly number[];
  row(guid: string): DeliveryRow;
  /** Its lease ends, and anybody may claim it. */
  expire(guid: string): void;
}

const UNSETTLED = new Set(["pending", "claimed"]);

export function createMemoryInbox(): MemoryInbox {
  const rows = new Map<string, Mutable<DeliveryRow>>();
  const groups: number[] = [];
  /** The token of each claim. */
  const tokens = new Map<string, string>();
  const known = (guid: string): Mutable<DeliveryRow> => {
    const row = rows.get(guid);
    if (row === undefined) throw new Error(`no delivery ${guid}`);
    return row;
  };
  return {
    rows,
    groups,
    row: known,
    async insert(deliveries) {
      groups.push(deliveries.length);
      for (const delivery of deliveries) {
        if (!rows.has(delivery.guid)) rows.set(delivery.guid, newRow(delivery, rows.size + 1));
      }
    },
    async claim({ now, limit, token }) {
      const heads = new Map<string, Mutable<DeliveryRow>>();
      for (const row of rows.values()) {
        if (UNSETTLED.has(row.state) && !heads.has(row.lane)) heads.set(row.lane, row);
      }
      const due = [...heads.values()].filter((row) => row.state === "pending" && row.notBefore <= now);
      return due.slice(0, limit).map((row) => {
        row.state = "claimed";
        tokens.set(row.guid, token);
        return { ...row };
      });
    },
    async release(token) {
      for (const row of rows.values())
        if (row.state === "claimed" && tokens.get(row.guid) === token) row.state = "pending";
    },
    async settle(guid, token, state, note, at) {
      const row = known(guid);
      if (row.state !== "claimed" || tokens.get(guid) !== token) return false;
      Object.assign(row, { state, note, settledAt: at });
      return true;
    },
    async retry(guid, token, { notBefore, note, countAttempt }) {
      const row = known(guid);
      if (row.state !== "claimed" || tokens.get(guid) !== token) return false;
      const attempts = row.attempts + (countAttempt ? 1 : 0);
      Object.assign(row, { state: "pending", notBefore, note, attempts });
      return true;
    },
    expire(guid) {
      known(guid).state = "pending";
    },
  };
}

/** A delivery as the route would store it. */
export function newDelivery(guid: string, fields: Partial<NewDelivery> = {}): NewDelivery {
  return {
    guid,
    event: "issues",
    action: "opened",
    installationId: 5,
    repositoryId: 77,
    lane: "77#1",
    payload: "{}",
    receivedAt: 0,
    ...fields,
  };
}

function newRow(delivery: NewDelivery, seq: number): Mutable<DeliveryRow> {
  return { ...delivery, seq, state: "pending", attempts: 0, notBefore: 0, note: null, settledAt: null };
}
