import type { KeyInForce } from "./keys-in-force.ts";

/** Keys of how agents and their commands are confined. */
export const SANDBOX_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "sandbox.mode",
    set: "sandbox: { mode: bubblewrap }",
    read: (c) => c.sandbox.mode,
    expected: "bubblewrap",
  },
];
