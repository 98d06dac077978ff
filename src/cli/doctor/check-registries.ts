import { askRegistry } from "../../adapters/sandbox/egress/ask-registry.ts";
import { PrivateNetwork } from "../../adapters/sandbox/egress/outside.ts";
import type { TokenRegistry } from "../../domain/access/registry.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

const LIMIT_MS = 5000;

/** Checks whether each registry answers and accepts its token. No finding quotes a token. */
export const checkRegistries: Check = async ({ config: { secrets, sandbox } }) => {
  const found = secrets.registries.map((registry) => registryFindings(registry, sandbox.privateHosts));
  return (await Promise.all(found)).flat();
};

async function registryFindings(
  registry: TokenRegistry,
  privateHosts: readonly string[],
): Promise<readonly Finding[]> {
  const about = `registry ${registry.url}`;
  try {
    const answer = await askRegistry(registry, {
      method: "GET",
      url: registry.url,
      headers: {},
      signal: AbortSignal.timeout(LIMIT_MS),
      privateHosts,
    });
    answer.destroy();
    const status = answer.statusCode ?? 0;
    if (status === 401)
      return [
        {
          about,
          what: "refuses the token (401): setup commands get nothing from it",
          next: `Put a valid token into ${registry.tokenEnv}`,
        },
      ];
    if (status < 500) return [];
    return [
      {
        about,
        what: `answers ${status}: setup commands get nothing from it until it does not`,
        next: "Look at that server",
      },
    ];
  } catch (error) {
    if (error instanceof PrivateNetwork)
      return [
        {
          about,
          what: `${error.host} leads into a private network, which nothing in a sandbox reaches`,
          next: `Name ${error.host} in sandbox.private_hosts, if that network is your own`,
        },
      ];
    return [
      {
        about,
        what: `cannot be reached (${messageOf(error)}): setup commands get nothing from it`,
        next: "Correct its url, or start that server",
      },
    ];
  }
}
