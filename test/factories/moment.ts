/** A fixed moment, in milliseconds since the epoch: 2025-12-21T22:40:00Z. Every factory starts at this time. */
export const AT = 1_766_356_800_000;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
