import { randomUUID } from "node:crypto";
import { mkdir, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../domain/kernel/errors.ts";
import { createBubblewrapRunner, type SandboxHost } from "./bubblewrap.ts";
import { PROBE_CHECKS } from "./probe-checks.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** A fault of the sandbox on this machine, and what to do about it. */
export interface SandboxFinding {
  readonly about: "sandbox";
  readonly what: string;
  readonly next: string;
}

/** The facts about the host that a probe needs: it uses no network and has its own worktree. */
type ProbedHost = Omit<SandboxHost, "gitOf" | "egress" | "registries">;

const LIMIT_MS = 30_000;
const FILES_OF_A_DIRECTORY = 5;

const NEXT =
  "See `Sandbox` in docs/operations.md for what a container or a hardened system must allow, or write `sandbox: { mode: none }` for private repositories and code that you trust";

/**
 * Runs a real sandbox and checks from inside that it confines. Returns an empty list if every check passes. Takes about
 * 50 ms, and changes nothing except its own directory.
 */
export async function probeSandbox(host: ProbedHost): Promise<readonly SandboxFinding[]> {
  const root = await realpath(makeTemporaryDirectory("probe"));
  try {
    return (await failedChecks(host, root)).map((found) => ({ about: "sandbox", next: NEXT, ...found }));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What is wrong and, if known, what to do about it. */
type Wrong = Pick<SandboxFinding, "what"> & Partial<SandboxFinding>;

const noWayOut = () => Promise.reject(new Error("a probe has no way out"));

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
    egress: { directoryFor: noWayOut, open: noWayOut },
    registries: [],
    gitOf: () => ({ mirror, entries: dirname(entry), entry }),
  });
  const mark = `probe-${randomUUID()}@${root}`;
  const lines = PROBE_CHECKS.map(({ line }, at) => `( ${line} ) || echo failed ${at}`);
  try {
    const result = await runner.run(
      {
        file: "/bin/sh",
        // The process left in the background must end with the sandbox.
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
        registries: false,
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
  if (refusal === undefined) return { what: `bubblewrap cannot create a sandbox here: ${words}` };
  const { permission, why, next } = refusal;
  return { what: `bubblewrap cannot create a sandbox here without ${permission}: ${why} (${words})`, next };
}

/** Returns some files at the top of a directory; none if the directory does not exist. */
async function filesAtTop(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes("\n"));
  return files.slice(0, FILES_OF_A_DIRECTORY).map(({ name }) => join(directory, name));
}

/** What keeps bubblewrap from creating a sandbox, according to its own message, and what to allow. */
interface Refusal {
  /** Named after the option of a container engine; `namespaces` is a limit of the kernel. */
  readonly permission: "seccomp" | "apparmor" | "systempaths" | "namespaces";
  readonly why: string;
  /** A sentence without its full stop. */
  readonly next: string;
}

const MORE = "docs/deploy.md says it for compose, Podman and Kubernetes";

const SYSTEMPATHS: Refusal = {
  permission: "systempaths",
  why: "the container covers parts of /proc, and then nobody in it may mount a /proc of their own",
  next: `Start the container with \`--security-opt systempaths=unconfined\`; ${MORE}`,
};
const SECCOMP: Refusal = {
  permission: "seccomp",
  why: "the container's seccomp profile, or outside of one the kernel's setting, allows no namespaces and mounts",
  next: `Start the container with \`--security-opt seccomp=config/deploy/seccomp.json\`; outside of one, \`sysctl kernel.unprivileged_userns_clone=1\`; ${MORE}`,
};
const APPARMOR: Refusal = {
  permission: "apparmor",
  why: "AppArmor (or SELinux) forbids what a sandbox is made of",
  next: `Start the container with \`--security-opt apparmor=unconfined\` (SELinux: \`label=disable\`); on Ubuntu outside of one, give bwrap an AppArmor profile with \`userns\`; ${MORE}`,
};
const NAMESPACES: Refusal = {
  permission: "namespaces",
  why: "the kernel counts no more namespaces for this user",
  next: "Raise it with `sysctl user.max_user_namespaces=10000`, on the machine and not in the container",
};

/**
 * Messages of bubblewrap 0.8 to 0.11. The first match counts, because a refused /proc fails at a different point among
 * the mounts.
 */
const WORDS: readonly (readonly [RegExp, Refusal])[] = [
  [/namespaces exceeded|\(ENOSPC\)/, NAMESPACES],
  [/Can't mount proc on .*: Operation not permitted|uid map: Read-only file system/, SYSTEMPATHS],
  [/No permissions to creat|[Cc]reating new namespace failed/, SECCOMP],
  [/bwrap: .*: Permission denied|Failed RTM_NEW\w+: /, APPARMOR],
  [/bwrap: .*(?:make \/ slave|mount|pivot_root|hostname|unshare|setns).*: Operation not permitted/, SECCOMP],
];

/** Returns what a message of bubblewrap says is refused; undefined if it says something else. */
export function refusalOf(words: string): Refusal | undefined {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1];
}
