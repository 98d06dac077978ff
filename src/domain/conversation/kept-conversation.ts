/** The conversation of one agent as of its last turn, packed. */
export interface KeptConversation {
  readonly agentId: number;
  readonly sessionId: string;
  /** The period in which it was kept. */
  readonly token: number;
  readonly keptAt: number;
  readonly packed: Uint8Array;
}

/** Larger packs are not kept: each turn writes one into the database. */
export const MOST_PACKED_BYTES = 8 * 1024 * 1024;
