import type { Abandoned, Lease } from "../../src/domain/kernel/rows.ts";

/** The lease of a test that has only one. */
export const OURS: Lease = { token: "ours", node: "here" };
export const CLAIM = { ...OURS, leaseMs: 60_000 } as const;
/** What a start on a database that nobody else uses releases. */
export const EVERYTHING: Abandoned = { nodes: null, now: 0 };
/** What a consumer needs to claim in that name. */
export const CLAIMS = { node: OURS.node, nonce: () => OURS.token };
