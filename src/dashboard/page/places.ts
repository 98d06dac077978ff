/** The places of the navigation, in its order: the address, and the name. The server serves the page at each address. */
export const PLACES = [
  ["/", "Inbox"],
  ["/work", "Work"],
  ["/merge-queue", "Merge queue"],
  ["/goals", "Goals"],
  ["/schedules", "Schedules"],
  ["/costs", "Costs"],
  ["/failures", "Failures"],
  ["/people", "People"],
  ["/settings", "Settings"],
] as const;

export type Place = (typeof PLACES)[number][0];
