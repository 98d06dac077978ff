import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CERTIFICATE_VARIABLES } from "../../domain/access/host-variables.ts";
import { isInside } from "./is-inside.ts";

/** A path on the host and its path inside; both absolute. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

/**
 * Directories that programs need beside their `bin`; Go, Java and pyenv have their own. Nothing else in the tree is
 * visible, such as settings, which may contain credentials.
 */
const PARTS =
  "bin sbin lib lib32 lib64 libexec share include etc/ssl src pkg go.env VERSION release jmods conf/security conf/net.properties conf/logging.properties versions shims plugins pyenv.d boot toolchains".split(
    " ",
  );

/**
 * Returns the paths of the host, in addition to /usr, that a command's environment must be able to read: the
 * directories of its PATH with the necessary parts of their trees, its certificates, and our own node with npm. Leaves
 * out everything in `hidden` (the host's private directories) and every directory that contains one of them.
 */
export function toolchains(
  env: Readonly<Record<string, string>>,
  hidden: readonly string[],
): readonly Bind[] {
  const searched = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const trees = searched.flatMap(seenWith).filter((path) => mayBeSeen(path, hidden));
  const named = CERTIFICATE_VARIABLES.flatMap((name) => env[name] ?? []).filter((path) =>
    path.startsWith("/"),
  );
  const found = [...trees, ...named, ...ourNode()].filter((path) => existsSync(path));
  return [...new Set(found)].map((path) => ({ from: realpathSync(path), to: path }));
}

/** Returns the directory itself, and what its programs need beside it. */
function seenWith(path: string): readonly string[] {
  const tree = dirname(path);
  // The programs of a package are links to packages in the same tree.
  if (basename(path) === ".bin") return [tree];
  if (tree === "/" || !/^s?bin$/.test(basename(path))) return [path];
  return [path, ...PARTS.map((part) => join(tree, part))];
}

/** Returns whether a path is neither inside a hidden directory nor contains one, by its name and by its real path. */
function mayBeSeen(path: string, hidden: readonly string[]): boolean {
  const real = existsSync(path) ? realpathSync(path) : path;
  return hidden.every((one) => [path, real].every((it) => !isInside(it, one) && !isInside(one, it)));
}

/** Returns our own node and npm. If they are in a home directory, nothing else of it is visible. */
function ourNode(): readonly string[] {
  const bin = dirname(process.execPath);
  const npm = ["npm", "npx", "corepack"].map((name) => join(bin, name)).filter((path) => existsSync(path));
  const modules = join(dirname(bin), "lib", "node_modules");
  return [process.execPath, ...npm.filter((path) => isInside(realpathSync(path), modules)), modules];
}
