import type { DashboardParts } from "../../src/dashboard/api/parts.ts";
import { someSettings } from "../factories/some-settings.ts";

/** What the dashboard needs beside the store, where nobody but the operator asks and nothing is done. */
export function pageParts(parts: Partial<DashboardParts> = {}): DashboardParts {
  return {
    settings: someSettings(),
    runningCommands: new Map(),
    inForce: [],
    dayBudgets: async () => new Map(),
    site: "https://github.test",
    permission: async () => "none",
    mayCommand: (permission) => permission === "write",
    diff: async () => ({ why: "there is none" }),
    missingLabels: async () => [],
    act: async () => ({ status: 200, body: {} }),
    ...parts,
  };
}
