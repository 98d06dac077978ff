import type { TokenRegistry } from "../domain/access/registry.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import type { Variables } from "./environment.ts";

/** Combines `registries` with their tokens from the environment, which no fault quotes. */
export function readRegistries(
  { registries, sandbox }: Pick<ConfigFile, "registries" | "sandbox">,
  {
    variables,
    runsAgents,
    file,
  }: {
    readonly variables: Variables;
    /** Only a process that runs agents needs the tokens. */
    readonly runsAgents: boolean;
    readonly file: string;
  },
): { readonly registries: readonly TokenRegistry[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const read = registries.flatMap((registry, at) => {
    const key = `${file}: registries[${at}]`;
    const { protocol, hostname } = new URL(registry.url);
    if (protocol === "http:" && !sandbox.privateHosts.includes(hostname))
      faults.push(
        `${key}.url: would send the token unencrypted; write https, or name ${hostname} in sandbox.private_hosts where its network is your own.`,
      );
    const token = variables[registry.tokenEnv];
    if (runsAgents) faults.push(...tokenFaults(`${key}.token_env`, registry.tokenEnv, token));
    return token === undefined ? [] : [{ ...registry, token }];
  });
  return { registries: read, faults };
}

/** Returns the fault of the variable `name` as a registry's token; `key` is the path that names it. */
export function tokenFaults(key: string, name: string, token: string | undefined): readonly string[] {
  const variable = `${key}: the environment variable ${name}`;
  if (token === undefined) return [`${variable} is not set; set it to the registry's token.`];
  return /^[\x20-\x7e]+$/.test(token)
    ? []
    : [`${variable} holds what no header can; write it in one line of ASCII characters.`];
}
