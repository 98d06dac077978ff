import type { AgentRuntime, ModelProvider } from "../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { createFakeRuntime, type FakeAgentRuntime, type FakeModel } from "../fakes/agent-runtime.ts";

/** The runtimes of the settings by name, each with conversations of its own and the one model. */
export function otherRuntimes(
  { runtimes }: Pick<Settings, "runtimes">,
  given: { readonly model: FakeModel; readonly clock: Clock; readonly without: readonly string[] },
): ReadonlyMap<string, FakeAgentRuntime> {
  const names = Object.keys(runtimes).filter((name) => !given.without.includes(name));
  return new Map(names.map((name) => [name, createFakeRuntime({ ...given, name })]));
}

export function byName(runtimes: readonly AgentRuntime[]): ReadonlyMap<string, AgentRuntime> {
  return new Map(runtimes.map((runtime) => [runtime.name, runtime]));
}

/** The providers of the settings, with a key. */
export function keyedProviders(
  { providers }: Pick<Settings, "providers">,
  apiKey: string,
): ReadonlyMap<string, ModelProvider> {
  return new Map(
    Object.entries(providers).map(([name, { type, baseUrl, wireApi, maxPromptTokens }]) => [
      name,
      { type, baseUrl, wireApi, maxPromptTokens, apiKey },
    ]),
  );
}
