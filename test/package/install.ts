import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../..");
const OURS =
  "src config docs app.yml config.example.yaml .env.example package.json tsconfig.json tsconfig.build.json";
const TEXTS = "README.md LICENSE CHANGELOG.md SECURITY.md";
const LIMIT_MS = 60_000;

/** What `npm pack` made, installed in a folder that holds nothing else. */
export interface Installed {
  /** The folder: absolute, as all paths here. */
  readonly home: string;
  /** The package in it. */
  readonly package: string;
  /** Paths in the tarball, relative to the package. */
  readonly files: readonly string[];
  /** Of the tarball. */
  readonly bytes: number;
  /** Starts the command as npm links it, with exactly this environment and PATH. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started;
}

export interface Started {
  readonly stdout: NodeJS.ReadableStream;
  kill(signal: NodeJS.Signals): void;
  /** Its end, and all that it said but on a standard output that was read by others. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Packs a copy of the repository and installs it with what production needs beside it. The caller removes `root`. */
export function install(): Installed & { readonly root: string } {
  const root = mkdtempSync(join(tmpdir(), "flotilla-package-"));
  const checkout = join(root, "checkout");
  for (const name of `${OURS} ${TEXTS}`.split(" "))
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  const tarball = pack(checkout, root);
  const home = join(root, "home");
  const modules = join(home, "node_modules");
  const ours = join(modules, "flotilla");
  mkdirSync(ours, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", ours, "--strip-components=1"]);
  for (const name of productionPackages()) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  const { bin } = z
    .object({ bin: z.object({ flotilla: z.string() }) })
    .parse(JSON.parse(readFileSync(join(ours, "package.json"), "utf8")));
  mkdirSync(join(modules, ".bin"));
  symlinkSync(join("..", "flotilla", bin.flotilla), join(modules, ".bin", "flotilla"));
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  return {
    root,
    home,
    package: ours,
    files: listed.map((path) => path.replace(/^package\//, "")),
    bytes: statSync(tarball).size,
    start: (args, env = {}) => start(home, args, env),
  };
}

function pack(checkout: string, root: string): string {
  // The scripts that npm runs find the compiler of the checkout.
  const said = execFileSync("npm", ["pack", "--json", "--offline", "--pack-destination", root], {
    cwd: checkout,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: root,
      npm_config_cache: join(root, "cache"),
      npm_config_update_notifier: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [made] = z
    .array(z.object({ filename: z.string() }))
    .parse(JSON.parse(said.slice(said.indexOf("[\n"))));
  return join(root, made?.filename ?? "");
}

/** What an installation for production has at its top, by the lock file; optional ones of other platforms apart. */
function productionPackages(): readonly string[] {
  const lock = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.lastIndexOf("node_modules/") === 0 && dev !== true)
    .map(([path]) => path.slice("node_modules/".length))
    .filter((name) => existsSync(join(ROOT, "node_modules", name)));
}

function start(home: string, args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const child = spawn(join(home, "node_modules/.bin/flotilla"), args, {
    cwd: home,
    env: { PATH: path, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return {
    stdout: child.stdout,
    kill: (signal) => void child.kill(signal),
    ended: Promise.all([code, text(child.stdout), text(child.stderr)]).then(([ending, stdout, stderr]) => ({
      code: ending,
      stdout,
      stderr,
    })),
  };
}
