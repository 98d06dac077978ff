import type { Settings } from "../settings/settings.ts";

/** Returns the names of the hosts that a confined agent and its acceptance commands may reach; empty for no network. */
export function agentHosts({ sandbox }: Pick<Settings, "sandbox">): readonly string[] {
  return sandbox.network === "proxy" ? sandbox.allowHosts : [];
}

/** Returns whether a confined agent and its acceptance commands may read from the operator's registries. */
export function agentReadsRegistries({ sandbox }: Pick<Settings, "sandbox">): boolean {
  return sandbox.network === "proxy";
}

/** Returns what agents are told of where their commands run. */
export function agentReach(settings: Pick<Settings, "sandbox" | "registries">): {
  readonly confined: boolean;
  readonly hosts: readonly string[];
  readonly registries: boolean;
} {
  return {
    confined: settings.sandbox.mode !== "none",
    hosts: agentHosts(settings),
    registries: agentReadsRegistries(settings) && settings.registries.length > 0,
  };
}

/** Returns false where agents would run unconfined in a repository to which everybody can write text. */
export function mayRunIn(
  { sandbox }: Pick<Settings, "sandbox">,
  repository: { readonly private: boolean },
): boolean {
  return repository.private || sandbox.mode !== "none";
}
