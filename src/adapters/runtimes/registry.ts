import { copilot } from "./copilot/entry.ts";
import type { RuntimeEntry } from "./runtime-entry.ts";

/** The runtimes, each with a name of its own, which an agent's record keeps. */
export const RUNTIMES: readonly RuntimeEntry[] = [copilot];

/** The one that agents use. */
export const DEFAULT_RUNTIME: RuntimeEntry = copilot;
