import { fileURLToPath } from "node:url";
import type { Command } from "../../domain/ports/runner.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

const PORT = 3128;
const PLACE = "/run/flotilla";
const SCRIPT = fileURLToPath(bundledFile("inside/forwarder.ts", import.meta.url));
const URL_OF_PROXY = `http://127.0.0.1:${PORT}`;

/** What the programs that are told of a proxy by their environment read. Plain HTTP has no way out. */
const TOLD: Readonly<Record<string, string>> = {
  HTTPS_PROXY: URL_OF_PROXY,
  https_proxy: URL_OF_PROXY,
  npm_config_https_proxy: URL_OF_PROXY,
  NODE_USE_ENV_PROXY: "1",
  NO_PROXY: "localhost,127.0.0.1",
  no_proxy: "localhost,127.0.0.1",
};

/** A command whose sandbox has a way out through the proxy whose socket lies in `directory`; bwrap's arguments for it. */
export function withWayOut(
  command: Command,
  directory: string,
): { readonly command: Command; readonly mounts: readonly string[] } {
  // No package.json stands beside it in there that would say that it is a module.
  const script = `${PLACE}/forwarder.${SCRIPT.endsWith(".js") ? "mjs" : "ts"}`;
  return {
    command: {
      ...command,
      env: { ...command.env, ...TOLD },
      file: process.execPath,
      // SIGUSR1 would open node's debugger, through which any process inside could speak on the command's streams.
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
