import { spawn } from "node:child_process";
import { access, constants, mkdir, mkdtemp, readdir, rename, statfs, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import type { Preset } from "../../adapters/runtimes/acp/preset.ts";
import { isAnotherAlive } from "../../adapters/sandbox/temporary-directory.ts";
import { messageOf, RuntimeError } from "../../domain/kernel/errors.ts";
import { fileAdvice } from "./file-faults.ts";
import { keepList } from "./installed-files.ts";

type Package = NonNullable<Preset["package"]>;

export interface Installation {
  readonly preset: Preset & { readonly package: Package };
  /** The lock file of the tree that was tried; null where there is none for this machine. */
  readonly lock: string | null;
  /** Where the agent is put: absolute. */
  readonly directory: string;
  /** The environment of the person who installs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with the number of packages that have arrived. */
  readonly progress: (arrived: number) => void;
  /** When aborted, npm is ended and nothing stays. */
  readonly signal: AbortSignal;
}

/** Variables of npm's own settings, of proxies and of certificates; others may be secrets of Flotilla's. */
const PASSED =
  /^(?:PATH|HOME|LANG|TMPDIR|npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
const FETCHED = /^npm http (?:fetch GET 200|cache) .*\.tgz /;
const KEPT_LINES = 6;
/** What npm's own cache needs beside the unpacked packages. */
const SPARE = 1.5;

/**
 * Has npm install the preset's version, by its lock file, without running scripts of packages, into a new directory, which
 * then takes the place of what was there; so an end at any time leaves the earlier state. The earlier version goes with the next
 * installation, since agents may be at work with it. Throws `RuntimeError`.
 */
export async function install(installation: Installation): Promise<void> {
  try {
    await installInto(dirname(installation.directory), installation);
  } catch (error) {
    const advice = fileAdvice(error);
    throw advice === null ? error : failed(messageOf(error), advice);
  }
}

async function installInto(parent: string, installation: Installation): Promise<void> {
  const { preset, directory } = installation;
  await makeDirectory(parent);
  await removeLeftovers(parent);
  await refuseFullDisk(parent, preset.package);
  const fresh = await mkdtemp(join(parent, `.new-${process.pid}-`));
  try {
    const { name, version } = preset.package;
    const dependencies = { [name]: version };
    await writeFile(
      join(fresh, "package.json"),
      `${JSON.stringify({ name: "agent", private: true, dependencies })}\n`,
    );
    if (installation.lock !== null) await writeFile(join(fresh, "package-lock.json"), installation.lock);
    await runNpm(installation, fresh);
    const found = installedVersion(preset, fresh);
    if (found !== preset.package.version)
      throw failed(`npm installed ${found ?? "nothing"} in place of ${preset.package.version}`);
    await keepList(fresh);
    await takePlace(fresh, directory);
  } finally {
    await removeTree(fresh);
  }
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
    // Node says the same of a file system that is read-only as of a parent that is missing.
    await access(dirname(path), constants.W_OK);
    throw error;
  });
}

/** Puts the new directory in the place of what is there, also where another installation does the same now. */
async function takePlace(fresh: string, directory: string): Promise<void> {
  const name = `.old-${process.pid}-${basename(fresh).slice(-6)}`;
  for (let time = 1; ; time += 1) {
    const earlier = join(dirname(directory), `${name}${time}`);
    const wasThere = await moved(directory, earlier, "ENOENT");
    try {
      if (await moved(fresh, directory, "ENOTEMPTY", "EEXIST")) return;
    } catch (error) {
      if (wasThere) await rename(earlier, directory).catch(() => undefined);
      throw error;
    }
  }
}

/** Returns false where the move fails with one of these codes. */
async function moved(from: string, to: string, ...codes: readonly string[]): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && codes.includes(String(error.code))) return false;
    throw error;
  }
}

/** Removes what installations that were killed have left, and versions that were replaced. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, kind, pid] = /^\.(new|old)-(\d+)-/.exec(name) ?? [];
    if (kind === "old" || (kind === "new" && !isAnotherAlive(Number(pid))))
      await removeTree(join(parent, name));
  }
}

async function refuseFullDisk(parent: string, { megabytes }: Package): Promise<void> {
  const { bavail, bsize } = await statfs(parent);
  const free = Math.floor((bavail * bsize) / 1e6);
  const needed = Math.ceil(megabytes * SPARE);
  if (free < needed)
    throw failed(
      `${parent} has ${free} MB left, and the installation needs ${needed} MB`,
      "Free space on that disk.",
    );
}

async function runNpm({ lock, env, progress, signal }: Installation, cwd: string): Promise<void> {
  const words = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=http", "--no-color"];
  const npm = spawn("npm", [lock === null ? "install" : "ci", ...words], {
    cwd,
    env: npmEnvironment(env),
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  const said: string[] = [];
  let arrived = 0;
  createInterface({ input: npm.stderr }).on("line", (line) => {
    if (FETCHED.test(line)) progress((arrived += 1));
    else if (line.startsWith("npm error")) said.push(line.replace(/^npm error\s*/, ""));
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    npm.once("error", reject);
    npm.once("close", resolve);
  }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw failed(
      `npm cannot be started (${error instanceof Error ? error.message : String(error)})`,
      "Install Node.js with npm, and check that `npm --version` works.",
    );
  });
  if (signal.aborted) throw failed("it was interrupted", "Run it again: nothing was changed.");
  if (code !== 0) throw failed(`npm ended with ${code}: ${reasonOf(said)}`);
}

/** Returns what npm said of its failure, without the places in its own code. */
function reasonOf(said: readonly string[]): string {
  const lines = said.filter((line) => !line.startsWith("at ")).slice(0, KEPT_LINES);
  return lines.join(" ").replace(/\.$/, "");
}

/** npm chooses versions by the Node that it runs on: ours. */
function npmEnvironment(env: Installation["env"]): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && PASSED.test(name) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(passed),
    PATH: [dirname(process.execPath), env["PATH"] ?? ""].join(delimiter),
  };
}

function failed(
  why: string,
  advice = "Check that npm reaches its registry, and run it again: nothing was changed.",
): RuntimeError {
  return new RuntimeError("install_failed", `The runtime was not installed: ${why}.`, {
    consequence: "tell",
    advice,
  });
}
