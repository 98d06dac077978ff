import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "./is-inside.ts";

/** A path on the host and where it is seen inside; both absolute. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

/** Variables that name certificates, which are for everybody to read. */
const CERTIFICATES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

/**
 * What programs beside a `bin` need: Go, Java and pyenv have parts of their own. Settings, where credentials may lie, and all
 * else in the tree are not shown.
 */
const PARTS =
  "bin sbin lib lib32 lib64 libexec share include etc/ssl src pkg go.env VERSION release jmods conf/security conf/net.properties conf/logging.properties versions shims plugins pyenv.d boot toolchains".split(
    " ",
  );

/**
 * What a command's environment needs to be read of the host beside /usr: the directories of its PATH, with the parts of the
 * tree that a `bin` belongs to, its certificates, and the node that we run on with its npm. Nothing in `hidden`, which are
 * directories of the host with something of its own in them, and nothing around one of them.
 */
export function toolchains(
  env: Readonly<Record<string, string>>,
  hidden: readonly string[],
): readonly Bind[] {
  const searched = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const trees = searched.flatMap(seenWith).filter((path) => mayBeSeen(path, hidden));
  const named = CERTIFICATES.flatMap((name) => env[name] ?? []).filter((path) => path.startsWith("/"));
  const found = [...trees, ...named, ...ourNode()].filter((path) => existsSync(path));
  return [...new Set(found)].map((path) => ({ from: realpathSync(path), to: path }));
}

/** The directory itself, and what its programs need beside it. */
function seenWith(path: string): readonly string[] {
  const tree = dirname(path);
  // A package's programs are links to the packages beside them.
  if (basename(path) === ".bin") return [tree];
  if (tree === "/" || !/^s?bin$/.test(basename(path))) return [path];
  return [path, ...PARTS.map((part) => join(tree, part))];
}

/** True for a path that neither lies in a hidden directory nor around one, by its name and by where it leads. */
function mayBeSeen(path: string, hidden: readonly string[]): boolean {
  const real = existsSync(path) ? realpathSync(path) : path;
  return hidden.every((one) => [path, real].every((it) => !isInside(it, one) && !isInside(one, it)));
}

/** The node that runs us may live in a home directory: it alone is shown of it, with its npm. */
function ourNode(): readonly string[] {
  const bin = dirname(process.execPath);
  const npm = ["npm", "npx", "corepack"].map((name) => join(bin, name)).filter((path) => existsSync(path));
  const modules = join(dirname(bin), "lib", "node_modules");
  return [process.execPath, ...npm.filter((path) => isInside(realpathSync(path), modules)), modules];
}
