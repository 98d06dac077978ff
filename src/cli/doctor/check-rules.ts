import type { Check } from "./check.ts";

/** Checks whether the database obeys the rules of the lifecycles. */
export const checkRules: Check = async ({ store, now }) => {
  const broken = await store.checkInvariants(now);
  return broken.map(({ rule, table, ids }) => ({
    about: "database",
    what: `the rule ${rule} is broken by ${table} ${ids.join(", ")}`,
    next:
      table === "effect"
        ? "report it with `flotilla explain` of the issues concerned; nothing is changed by itself"
        : "the agents concerned are held: `flotilla agents kill` and `flotilla agents revive` begin afresh; report it with `flotilla explain` of the issues",
  }));
};
