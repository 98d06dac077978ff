import { devNull } from "node:os";
import type { GitHost } from "./git-host.ts";

/** Variables inherited from our own environment: where git is, and how to reach the network. */
const INHERITED = [
  "PATH",
  "TMPDIR",
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/**
 * Returns the complete environment of every git process that we start. Configuration in the environment overrides every
 * file, so it sets everything that could start a program or change what we save, and it names no file that an agent can
 * write. `restoreMirror` covers keys that cannot be listed in advance (filters, merge drivers, URL rewrites).
 */
export function gitEnvironment(host: GitHost): Record<string, string> {
  return environmentOf(host, INHERITED);
}

/** Returns the environment for git on the files of a worktree, without network access. */
export function filesEnvironment(host: GitHost): Record<string, string> {
  return environmentOf(host, ["PATH"]);
}

function environmentOf(host: GitHost, inherited: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: host.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: host.protocol,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
  };
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  const settings = fixedConfiguration(host);
  environment["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

function fixedConfiguration(host: GitHost): [key: string, value: string][] {
  return [
    ["core.hooksPath", devNull],
    ["core.fsmonitor", "false"],
    ["core.attributesFile", devNull],
    ["core.excludesFile", devNull],
    ["core.autocrlf", "false"],
    ["core.quotePath", "false"],
    ["core.untrackedCache", "false"],
    ["core.fsync", "committed,reference"],
    ["core.sshCommand", "false"],
    ["credential.helper", ""],
    ["protocol.allow", "never"],
    [`protocol.${host.protocol}.allow`, "always"],
    ["protocol.ext.allow", "never"],
    ["protocol.file.allow", "never"],
    ["http.sslVerify", "true"],
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "120"],
    ["submodule.recurse", "false"],
    ["fetch.recurseSubmodules", "false"],
    ["push.recurseSubmodules", "no"],
    ["push.gpgSign", "false"],
    ["commit.gpgSign", "false"],
    ["checkout.workers", String(host.checkoutWorkers)],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
  ];
}
