import { PRESETS } from "../adapters/runtimes/acp/presets/presets.ts";
import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import { DATABASES } from "../adapters/store/registry.ts";
import type { Variables } from "../config/environment.ts";
import type { KnownPreset } from "../config/runtime-faults.ts";
import { TOOL_NAMES } from "../engine/tools/catalog.ts";

const presets: readonly KnownPreset[] = [...PRESETS.values()];

/** What tools, runtimes and databases declare, for reading the configuration. */
export const DECLARED = {
  knownTools: TOOL_NAMES,
  ownAccount: DEFAULT_RUNTIME.account,
  presets,
  databaseSecrets: (variables: Variables) => DATABASES.flatMap(({ secretsIn }) => secretsIn(variables)),
};
