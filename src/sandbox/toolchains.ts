import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { within } from "./within.ts";

/** A path on the host and where it is seen inside; both absolute. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

/** Variables that name certificates, which are for everybody to read. */
const CERTIFICATES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

/**
 * What a command's environment needs to be read of the host beside /usr: the directories of its PATH, with the tree that
 * a `bin` belongs to, its certificates, and the node that we run on with its npm. Nothing in `hidden`, which are
 * directories of the host with something of its own in them, and no tree around one of them.
 */
export function toolchains(
  env: Readonly<Record<string, string>>,
  hidden: readonly string[],
): readonly Bind[] {
  const searched = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const trees = searched.flatMap((path) => {
    const whole = /^(bin|sbin|\.bin)$/.test(basename(path)) ? dirname(path) : path;
    return [whole, path].filter((one) => one !== "/" && mayBeSeen(one, hidden)).slice(0, 1);
  });
  const named = CERTIFICATES.flatMap((name) => env[name] ?? []).filter((path) => path.startsWith("/"));
  const found = [...trees, ...named, ...ourNode()].filter((path) => existsSync(path));
  return [...new Set(found)].map((path) => ({ from: realpathSync(path), to: path }));
}

/** True for a path that neither lies in a hidden directory nor around one, by its name and by where it leads. */
function mayBeSeen(path: string, hidden: readonly string[]): boolean {
  const real = existsSync(path) ? realpathSync(path) : path;
  return hidden.every((one) => [path, real].every((it) => !within(it, one) && !within(one, it)));
}

/** The node that runs us may live in a home directory: it alone is shown of it, with its npm. */
function ourNode(): readonly string[] {
  const bin = dirname(process.execPath);
  const npm = ["npm", "npx", "corepack"].map((name) => join(bin, name)).filter((path) => existsSync(path));
  const modules = join(dirname(bin), "lib", "node_modules");
  return [process.execPath, ...npm.filter((path) => within(realpathSync(path), modules)), modules];
}
