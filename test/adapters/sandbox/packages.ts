import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalRegistry } from "./a-registry.ts";

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/**
 * Puts the npm package `@acme/left` 1.0.0 into a registry whose packages are below `base`. Returns the lock file of a
 * project that depends on it, as npm writes it outside of a sandbox.
 */
export function putNpmPackage(registry: LocalRegistry, root: string, base: string): string {
  write(root, {
    "package/package.json": '{"name":"@acme/left","version":"1.0.0"}',
    "package/index.js": 'module.exports = "left of acme";',
  });
  ran("tar", ["czf", "left.tgz", "package"], root);
  const tarball = readFileSync(join(root, "left.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const resolved = `${base}@acme/left/-/left-1.0.0.tgz`;
  const version = { name: "@acme/left", version: "1.0.0", dist: { tarball: resolved, integrity } };
  const path = new URL(base).pathname;
  registry.routes.set(
    `${path}@acme%2fleft`,
    JSON.stringify({ name: "@acme/left", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
  );
  registry.routes.set(new URL(resolved).pathname, tarball);
  const dependencies = { "@acme/left": "1.0.0" };
  return JSON.stringify({
    name: "project",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: {
      "": { name: "project", version: "1.0.0", dependencies },
      "node_modules/@acme/left": { version: "1.0.0", resolved, integrity },
    },
  });
}

/** Puts the Python package `right` 1.0 into a registry whose index is `base`, with an absolute address of its file. */
export function putPythonPackage(registry: LocalRegistry, root: string, base: string): void {
  const info = "right-1.0.dist-info";
  write(root, {
    "wheel/right.py": 'SAYS = "right of acme"\n',
    [`wheel/${info}/METADATA`]: "Metadata-Version: 2.1\nName: right\nVersion: 1.0\n",
    [`wheel/${info}/WHEEL`]:
      "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`wheel/${info}/RECORD`]: `right.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  });
  const name = "right-1.0-py3-none-any.whl";
  ran("python3", ["-m", "zipfile", "-c", join(root, name), "right.py", info], join(root, "wheel"));
  const file = new URL(`../packages/${name}`, base);
  registry.routes.set(`${new URL(base).pathname}right/`, `<html><a href="${file.href}">${name}</a></html>`);
  registry.routes.set(file.pathname, readFileSync(join(root, name)));
}

/** A Go module: its files include `go.mod`. */
interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Puts Go modules into a registry that speaks the protocol of GOPROXY at `base`. Returns their lines of go.sum. */
export function putGoModules(
  registry: LocalRegistry,
  root: string,
  base: string,
  modules: readonly GoModule[],
): string {
  return modules.map((module) => putGoModule(registry, root, base, module)).join("");
}

/** `python3 -m zipfile` adds entries for directories, which go refuses. */
const ZIP_FILES =
  'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as z:\n  for name in sys.argv[2:]: z.write(name)';

function putGoModule(
  registry: LocalRegistry,
  root: string,
  base: string,
  { path, version, files }: GoModule,
): string {
  const name = `${path}@${version}`;
  const place = join(root, "go", name.replaceAll("/", "+"));
  write(join(place, name), files);
  ran(
    "python3",
    ["-c", ZIP_FILES, "module.zip", ...Object.keys(files).map((file) => `${name}/${file}`)],
    place,
  );
  const goMod = files["go.mod"] ?? "";
  const below = `${new URL(base).pathname}${path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}/@v/`;
  registry.routes.set(`${below}list`, Buffer.from(`${version}\n`));
  registry.routes.set(
    `${below}${version}.info`,
    JSON.stringify({ Version: version, Time: "2026-01-01T00:00:00Z" }),
  );
  registry.routes.set(`${below}${version}.mod`, Buffer.from(goMod));
  registry.routes.set(`${below}${version}.zip`, readFileSync(join(place, "module.zip")));
  const all = Object.entries(files).map(([file, text]) => [`${name}/${file}`, text] as const);
  return `${path} ${version} ${goHash(all)}\n${path} ${version}/go.mod ${goHash([["go.mod", goMod]])}\n`;
}

/** Returns the hash of files as go.sum has it. */
function goHash(files: readonly (readonly [name: string, text: string])[]): string {
  const lines = files
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `${createHash("sha256").update(text).digest("hex")}  ${name}\n`);
  return `h1:${createHash("sha256").update(lines.join("")).digest("base64")}`;
}

/** A crate, and the names of others in the same registry that it needs. */
interface Crate {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
}

/**
 * Puts crates into a registry whose sparse index is `base`, and which tells cargo to send a token and where the crates
 * are. Returns the lock file of the package `project` 1.0.0 that needs all of them, where they are from `source`.
 */
export function putCrates(
  registry: LocalRegistry,
  root: string,
  base: string,
  crates: readonly Crate[],
  source: string = `sparse+${base}`,
): string {
  const dl = new URL("../v1/crates", base);
  registry.routes.set(
    `${new URL(base).pathname}config.json`,
    JSON.stringify({ dl: dl.href, api: new URL("..", base).href, "auth-required": true }),
  );
  const locked = crates.map(({ name, version, files, needs = [] }) => {
    const directory = `${name}-${version}`;
    write(join(root, "crates", directory), files);
    ran("tar", ["czf", `${name}.crate`, directory], join(root, "crates"));
    const crate = readFileSync(join(root, "crates", `${name}.crate`));
    const cksum = createHash("sha256").update(crate).digest("hex");
    const deps = needs.map((need) => ({
      name: need,
      req: "*",
      features: [],
      optional: false,
      default_features: true,
      target: null,
      kind: "normal",
    }));
    const line = { name, vers: version, deps, cksum, features: {}, yanked: false };
    registry.routes.set(`${new URL(base).pathname}${indexPath(name)}`, JSON.stringify(line));
    registry.routes.set(`${dl.pathname}/${name}/${version}/download`, crate);
    return { name, version, needs, more: `source = "${source}"\nchecksum = "${cksum}"\n` };
  });
  const project = { name: "project", version: "1.0.0", needs: crates.map(({ name }) => name), more: "" };
  const packages = [...locked, project].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `version = 3\n${packages.map(lockedPackage).join("")}`;
}

function lockedPackage(one: {
  name: string;
  version: string;
  needs: readonly string[];
  more: string;
}): string {
  const needs = one.needs
    .toSorted()
    .map((need) => ` "${need}",\n`)
    .join("");
  const dependencies = needs === "" ? "" : `dependencies = [\n${needs}]\n`;
  return `\n[[package]]\nname = "${one.name}"\nversion = "${one.version}"\n${one.more}${dependencies}`;
}

function indexPath(name: string): string {
  if (name.length < 3) return `${name.length}/${name}`;
  return name.length === 3
    ? `3/${name.slice(0, 1)}/${name}`
    : `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

function ran(file: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(file, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
}
