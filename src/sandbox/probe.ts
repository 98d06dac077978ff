import { randomUUID } from "node:crypto";
import { mkdir, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { createBubblewrapRunner, type SandboxHost } from "./bubblewrap.ts";
import { PROBE_CHECKS } from "./probe-checks.ts";
import { refusalOf } from "./refusal.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** What is wrong with the sandbox on this machine, and what to do. */
export interface SandboxFinding {
  readonly about: "sandbox";
  readonly what: string;
  readonly next: string;
}

/** The host, as far as a probe needs it: it asks for no way out and has a worktree of its own. */
type ProbedHost = Omit<SandboxHost, "gitOf" | "egress">;

const LIMIT_MS = 30_000;
const FILES_OF_A_DIRECTORY = 5;

const NEXT =
  "See `Sandbox` in docs/operations.md for what a container or a hardened system must allow, or write `sandbox: { mode: none }` for private repositories and code that you trust";

/**
 * Runs a real sandbox and looks from inside whether it confines; empty when every check holds. Takes some 50 ms, and changes
 * nothing but a directory of its own.
 */
export async function probeSandbox(host: ProbedHost): Promise<readonly SandboxFinding[]> {
  const root = await realpath(makeTemporaryDirectory("probe"));
  try {
    return (await failedChecks(host, root)).map((found) => ({ about: "sandbox", next: NEXT, ...found }));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What is wrong, and where that is known what to do about it. */
type Wrong = Pick<SandboxFinding, "what"> & Partial<SandboxFinding>;

async function failedChecks(host: ProbedHost, root: string): Promise<readonly Wrong[]> {
  const work = join(root, "work");
  const mirror = join(root, "mirror");
  const entry = join(mirror, "worktrees", "work");
  const secret = join(root, "secret");
  await mkdir(work);
  await mkdir(entry, { recursive: true });
  await writeFile(secret, "a file that nobody gave");
  await writeFile(join(mirror, "HEAD"), "ref: refs/heads/main\n");
  const files = await Promise.all(host.hidden.map(filesAtTop));
  const runner = createBubblewrapRunner({
    ...host,
    egress: { directoryFor: () => Promise.reject(new Error("a probe has no way out")) },
    gitOf: () => ({ mirror, entries: dirname(entry), entry }),
  });
  const mark = `probe-${randomUUID()}@${root}`;
  const lines = PROBE_CHECKS.map(({ line }, at) => `( ${line} ) || echo failed ${at}`);
  try {
    const result = await runner.run(
      {
        file: "/bin/sh",
        // What it leaves behind must be gone with it.
        args: ["-c", ["(setsid sleep 600 >/dev/null 2>&1 &)", ...lines, "echo all looked at"].join("\n")],
        cwd: work,
        env: {
          PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
          WORK: work,
          SECRET: secret,
          MIRROR: mirror,
          HOST_FILES: files.flat().join("\n"),
        },
      },
      {
        writable: [work],
        readable: [],
        hosts: [],
        mark,
        timeoutMs: LIMIT_MS,
        signal: new AbortController().signal,
        maxOutputBytes: 4000,
      },
    );
    const failed = PROBE_CHECKS.filter((_, at) => result.output.includes(`failed ${at}\n`));
    const found = failed.map(({ wrong }) => `a confined process is not confined: ${wrong}`);
    if (!result.output.includes("all looked at"))
      found.push(`the probe did not end well: ${result.output.trim()}`);
    if ((await runner.countMarked([mark])) > 0)
      found.push("a process outlives the sandbox that it was begun in");
    return found.map((what) => ({ what }));
  } catch (error) {
    return [refused(messageOf(error))];
  }
}

function refused(message: string): Wrong {
  const words = message.trim();
  const refusal = refusalOf(words);
  if (refusal === undefined) return { what: `bubblewrap makes no sandbox here: ${words}` };
  const { permission, why, next } = refusal;
  return { what: `bubblewrap makes no sandbox here for want of ${permission}: ${why} (${words})`, next };
}

/** Some files at the top of a directory; none of a directory that is not there. */
async function filesAtTop(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes("\n"));
  return files.slice(0, FILES_OF_A_DIRECTORY).map(({ name }) => join(directory, name));
}
