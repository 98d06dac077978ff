import { fileURLToPath } from "node:url";
import type { Command } from "../../domain/ports/runner.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

const PORT = 3128;
const PLACE = "/run/flotilla";
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

/**
 * Returns a command and bwrap's arguments for a sandbox with network access through the proxy whose socket is in
 * `directory`.
 */
export function withWayOut(
  command: Command,
  directory: string,
): { readonly command: Command; readonly mounts: readonly string[] } {
  // Inside, there is no package.json beside the script that would declare it a module.
  const script = `${PLACE}/forwarder.${SCRIPT.endsWith(".js") ? "mjs" : "ts"}`;
  return {
    command: {
      ...command,
      env: { ...command.env, ...PROXY_VARIABLES },
      file: process.execPath,
      // SIGUSR1 would open node's debugger, through which any process inside could write to the command's streams.
      args: [
        "--disable-sigusr1",
        script,
        `${PLACE}/egress/proxy.sock`,
        String(PORT),
        command.file,
        ...command.args,
      ],
    },
    mounts: ["--ro-bind", directory, `${PLACE}/egress`, "--ro-bind", SCRIPT, script],
  };
}
