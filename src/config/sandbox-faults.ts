import type { ConfigFile } from "./schema.ts";

/** Without a provider the runtime itself talks with GitHub Copilot, and a sandbox without a network keeps it from that. */
export function sandboxFaults(
  { sandbox, runtime }: Pick<ConfigFile, "sandbox" | "runtime">,
  file: string,
): string[] {
  if (runtime.provider !== undefined || sandbox.mode === "none" || sandbox.network === "proxy") return [];
  return [
    `${file}: sandbox.network: none keeps a confined agent from GitHub Copilot, which is used where runtime.provider is missing; configure a provider, or write \`sandbox: { network: proxy, allow_hosts: [...] }\` with the hosts of GitHub Copilot.`,
  ];
}
