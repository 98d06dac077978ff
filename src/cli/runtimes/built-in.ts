import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Trial } from "./scripted-turn.ts";

type At = Settings["runtime"]["provider"] | Settings["providers"][string];

/** Returns how the built-in runtime is tried as it asks its models at this provider. */
export function builtInTrial(at: At): Pick<Trial, "create" | "api"> {
  const api = at?.type === "anthropic" ? "anthropic" : (at?.wireApi ?? "completions");
  return { create: DEFAULT_RUNTIME.create, api };
}
