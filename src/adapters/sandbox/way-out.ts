import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  PLACE_INSIDE,
  type Registry,
  registryFiles,
  registryPort,
  registrySocket,
  registryVariables,
} from "../../domain/access/registry.ts";
import type { Command, HostPort } from "../../domain/ports/runner.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

const PORT = 3128;
/** The directory inside the sandbox with our own files. */
export const OURS_INSIDE = "/run/flotilla";
/** The command's own socket. */
const OWN_INSIDE = `${OURS_INSIDE}/host.sock`;
const SCRIPT = fileURLToPath(bundledFile("inside/forwarder.ts", import.meta.url));
const URL_OF_PROXY = `http://127.0.0.1:${PORT}`;

/** Variables by which programs find the proxy, which serves HTTPS only. */
const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  HTTPS_PROXY: URL_OF_PROXY,
  https_proxy: URL_OF_PROXY,
  npm_config_https_proxy: URL_OF_PROXY,
  NODE_USE_ENV_PROXY: "1",
  NO_PROXY: "localhost,127.0.0.1",
  no_proxy: "localhost,127.0.0.1",
};

/** A way out of a sandbox: the host's directory with its sockets, and what they lead to. */
interface WayOut {
  readonly directory: string;
  readonly hasProxy: boolean;
  readonly registries: readonly Registry[];
}

/**
 * Returns a command and bwrap's arguments for a sandbox in which loopback ports lead to sockets of the host: those of a
 * way out, and one of the command's own.
 */
export function withSockets(
  command: Command,
  out: WayOut | null,
  own: HostPort | undefined,
): { readonly command: Command; readonly mounts: readonly string[] } {
  if (out === null && own === undefined) return { command, mounts: [] };
  // Inside, there is no package.json beside the script that would declare it a module.
  const script = `${OURS_INSIDE}/forwarder.${SCRIPT.endsWith(".js") ? "mjs" : "ts"}`;
  const ports = [
    ...(out === null ? [] : portsOf(out)),
    ...(own === undefined ? [] : [`${own.port}=${OWN_INSIDE}`]),
  ];
  return {
    command: {
      ...command,
      env: { ...command.env, ...(out === null ? {} : variablesOf(out)) },
      file: process.execPath,
      // SIGUSR1 would open node's debugger, through which any process inside could write to the command's streams.
      args: ["--disable-sigusr1", script, ports.join(","), command.file, ...command.args],
    },
    mounts: [
      ...(out === null ? [] : mountsOf(out)),
      ...(own === undefined ? [] : ["--ro-bind", own.path, OWN_INSIDE]),
      "--ro-bind",
      SCRIPT,
      script,
    ],
  };
}

function portsOf({ hasProxy, registries }: WayOut): readonly string[] {
  return [
    ...(hasProxy ? [`${PORT}=${PLACE_INSIDE}/proxy.sock`] : []),
    ...registries.map((_, at) => `${registryPort(at)}=${PLACE_INSIDE}/${registrySocket(at)}`),
  ];
}

function variablesOf({ hasProxy, registries }: WayOut): Readonly<Record<string, string>> {
  return { ...(hasProxy ? PROXY_VARIABLES : {}), ...registryVariables(registries) };
}

function mountsOf({ directory, registries }: WayOut): readonly string[] {
  const elsewhere = registryFiles(registries).filter(({ seenAt }) => !seenAt.startsWith(`${PLACE_INSIDE}/`));
  return [
    "--ro-bind",
    directory,
    PLACE_INSIDE,
    ...elsewhere.flatMap(({ name, seenAt }) => ["--ro-bind", join(directory, name), seenAt]),
  ];
}
