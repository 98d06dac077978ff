import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import { TOOL_NAMES } from "../engine/tools/catalog.ts";

/** What tools and runtimes declare, for checking the configuration. */
export const DECLARED = { knownTools: TOOL_NAMES, ownAccount: DEFAULT_RUNTIME.account };
