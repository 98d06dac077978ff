import { copilot } from "./copilot/entry.ts";
import type { RuntimeEntry } from "./runtime-entry.ts";

/** The runtimes, each with its own name, which an agent's record keeps. */
export const RUNTIMES: readonly RuntimeEntry[] = [copilot];

/** The runtime that is part of Flotilla. */
export const DEFAULT_RUNTIME: RuntimeEntry = copilot;
