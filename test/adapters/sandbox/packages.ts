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

/**
 * Puts the crate `middle` 1.0.0 into a registry whose sparse index is `base`, and which tells cargo to send a token and
 * where the crates are.
 */
export function putCrate(registry: LocalRegistry, root: string, base: string): void {
  write(root, {
    "middle-1.0.0/Cargo.toml": '[package]\nname = "middle"\nversion = "1.0.0"\nedition = "2021"\n',
    "middle-1.0.0/src/lib.rs": "",
  });
  ran("tar", ["czf", "middle.crate", "middle-1.0.0"], root);
  const crate = readFileSync(join(root, "middle.crate"));
  const cksum = createHash("sha256").update(crate).digest("hex");
  const { pathname } = new URL(base);
  const dl = new URL("../v1/crates", base);
  registry.routes.set(
    `${pathname}config.json`,
    JSON.stringify({ dl: dl.href, api: new URL("..", base).href, "auth-required": true }),
  );
  const line = { name: "middle", vers: "1.0.0", deps: [], cksum, features: {}, yanked: false };
  registry.routes.set(`${pathname}mi/dd/middle`, JSON.stringify(line));
  registry.routes.set(`${dl.pathname}/middle/1.0.0/download`, crate);
}

function ran(file: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(file, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
}
