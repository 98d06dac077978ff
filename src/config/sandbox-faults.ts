import type { ConfigFile } from "./schema.ts";

/** What the keys of the sandbox promise and do not keep together. */
export function sandboxFaults(
  { sandbox, setup, runtime }: Pick<ConfigFile, "sandbox" | "setup" | "runtime">,
  file: string,
): string[] {
  const { mode, network, allow_hosts: hosts } = sandbox;
  const faults: string[] = [];
  if (mode === "none" && (network === "proxy" || hosts.length > 0 || setup.network.length > 0))
    faults.push(
      "sandbox.mode: none holds nobody back from any host; leave out sandbox.network, sandbox.allow_hosts and setup.network, or write `mode: bubblewrap`.",
    );
  else if (network === "none" && hosts.length > 0)
    faults.push("sandbox.allow_hosts: needs `network: proxy`; write it, or leave the hosts out.");
  else if (network === "proxy" && hosts.length === 0)
    faults.push(
      "sandbox.network: proxy needs the hosts that it lets through; name them in allow_hosts, or write `network: none`.",
    );
  else if (mode === "bubblewrap" && network === "none" && runtime.provider === undefined)
    faults.push(
      "sandbox.network: none keeps a confined agent from GitHub Copilot, which is used where runtime.provider is missing; configure a provider, or write `sandbox: { network: proxy, allow_hosts: [...] }` with the hosts of GitHub Copilot.",
    );
  return faults.map((fault) => `${file}: ${fault}`);
}
