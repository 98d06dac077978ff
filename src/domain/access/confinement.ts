import type { Settings } from "../settings/settings.ts";

/** Returns the names of the hosts that a confined agent and its acceptance commands may reach; empty for no network. */
export function agentHosts({ sandbox }: Pick<Settings, "sandbox">): readonly string[] {
  return sandbox.network === "proxy" ? sandbox.allowHosts : [];
}

/** Returns false where agents would run unconfined in a repository to which everybody can write text. */
export function mayRunIn(
  { sandbox }: Pick<Settings, "sandbox">,
  repository: { readonly private: boolean },
): boolean {
  return repository.private || sandbox.mode !== "none";
}
