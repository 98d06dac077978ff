import type { Settings } from "../settings/settings.ts";

/** Names of the hosts that a confined agent may reach, and its acceptance commands with it; empty for no network. */
export function agentHosts({ sandbox }: Pick<Settings, "sandbox">): readonly string[] {
  return sandbox.network === "proxy" ? sandbox.allowHosts : [];
}

/** Returns false for a repository that everybody can write text to, where agents run unconfined. */
export function mayRunIn(
  { sandbox }: Pick<Settings, "sandbox">,
  repository: { readonly private: boolean },
): boolean {
  return repository.private || sandbox.mode !== "none";
}
