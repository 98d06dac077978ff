import { inlineCode } from "../messages/inline-code.ts";
import { REPOSITORY_FILE } from "./repository-file-path.ts";
import type { Settings } from "./settings.ts";

type Setup = Settings["setup"];
/** What a repository's file says of its setup; the rest stays the operator's. */
type WrittenSetup = Partial<Setup>;
type Bounds = Pick<Setup, "network" | "repositoriesMay">;

/** Returns what a repository may set of its setup: commands where the operator permits them, and permitted hosts. */
export function permittedSetup(operator: Bounds, written: WrittenSetup): WrittenSetup {
  const { commands, network, ...rest } = written;
  const refused = refusedHosts(operator, written);
  return {
    ...rest,
    ...(commands === undefined || !operator.repositoriesMay.commands ? {} : { commands }),
    ...(network === undefined ? {} : { network: network.filter((host) => !refused.includes(host)) }),
  };
}

/** Returns a notice for each host that a repository names and that the operator does not permit. */
export function refusedHostNotices(operator: Bounds, written: WrittenSetup): readonly string[] {
  return refusedHosts(operator, written).map(
    (host) =>
      `setup.network: ${host} is not permitted, so setup commands do not reach it; take it out, or ask the operator to add it to setup.repositories_may.hosts.`,
  );
}

const notAllowed = (key: string, permission: string) =>
  `${key}: the operator lets no repository set it (setup.repositories_may.${permission}); take it out.`;

/** Returns a fault where a repository names commands or services and the operator lets none do so. */
export function permissionFaults(
  { repositoriesMay }: Bounds,
  written: { readonly setup?: WrittenSetup; readonly services?: Settings["services"] },
): readonly string[] {
  return [
    ...(written.setup?.commands === undefined || repositoriesMay.commands
      ? []
      : [notAllowed("setup.commands", "commands")]),
    ...(written.services === undefined || repositoriesMay.services
      ? []
      : [notAllowed("services", "services")]),
  ];
}

/**
 * Returns who can permit a host that the proxy refused to a setup command, and where: a sentence for people.
 */
export function permitHostText({ repositoriesMay }: Bounds, host: string): string {
  const refused = `Flotilla's proxy refused ${inlineCode(host)}:`;
  return repositoriesMay.hosts.includes(host)
    ? `${refused} add it to \`setup.network\` in \`${REPOSITORY_FILE}\`, which the operator permits.`
    : `${refused} the operator can add it to \`setup.network\`, or to \`setup.repositories_may.hosts\` so that \`setup.network\` in \`${REPOSITORY_FILE}\` may name it.`;
}

function refusedHosts({ network, repositoriesMay }: Bounds, written: WrittenSetup): readonly string[] {
  return (written.network ?? []).filter(
    (host) => !network.includes(host) && !repositoriesMay.hosts.includes(host),
  );
}
