import type { DeliveryRow } from "../../../src/domain/kernel/rows.ts";

/** A delivery that was claimed for the first time. */
export const DELIVERY: DeliveryRow = {
  guid: "d-1",
  seq: 1,
  event: "issues",
  action: "opened",
  installationId: 5,
  repositoryId: 7,
  lane: "issues",
  payload: "{}",
  state: "claimed",
  attempts: 0,
  notBefore: 0,
  note: null,
  receivedAt: 0,
  settledAt: null,
};
