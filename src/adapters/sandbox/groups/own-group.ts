import { basename, dirname, join } from "node:path";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { GroupFiles } from "./group-files.ts";

/** The group that Flotilla itself moves into: only a group without processes may give its groups limits. */
const OURS = "flotilla";
const NEEDED = ["memory", "pids"];

/** What a process can do with control groups; `base` is the directory of the group in which it may make others. */
export type Standing =
  /** It has made room for agents' groups. */
  | { readonly kind: "ready"; readonly base: string }
  | { readonly kind: "possible"; readonly base: string }
  | { readonly kind: "impossible"; readonly why: string };

interface OneProcess {
  readonly pid: number;
  /** Its directory in /proc. */
  readonly proc: string;
}

/** Reads how a process stands, from its directory in /proc; changes nothing. */
export function standingOf(files: GroupFiles, { proc, pid }: OneProcess): Standing {
  const own = ownGroup(files, proc);
  if ("why" in own) return { kind: "impossible", why: own.why };
  const above = dirname(own.path);
  if (basename(own.path) === OURS && has(files, join(above, "cgroup.subtree_control")))
    return { kind: "ready", base: above };
  if (!has(files, join(own.path, "cgroup.controllers")))
    return {
      kind: "impossible",
      why: `the controllers memory and pids of version 2 are not there for ${own.path}`,
    };
  try {
    for (const name of ["", "cgroup.procs", "cgroup.subtree_control"])
      files.assertWritable(join(own.path, name));
  } catch {
    return { kind: "impossible", why: `${own.path} is not writable for this user` };
  }
  if (isShared(files, own.path, pid))
    return { kind: "impossible", why: `other processes are in its group ${own.path}` };
  return { kind: "possible", base: own.path };
}

/** Returns whether a process is in the group that cannot be moved. The topmost group, which has no type, may keep its own. */
function isShared(files: GroupFiles, path: string, pid: number): boolean {
  if (!files.exists(join(path, "cgroup.type"))) return false;
  const pids = textOf(files, join(path, "cgroup.procs")).split("\n");
  return pids.some((line) => line !== "" && Number(line) !== pid);
}

/**
 * Makes room for agents' groups: moves this process into a group of its own, and lets its siblings have limits. Undoes
 * what it did where that is refused.
 */
export function claimGroup(files: GroupFiles, process: OneProcess): Standing {
  const standing = standingOf(files, process);
  if (standing.kind !== "possible") return standing;
  const { base } = standing;
  const { pid } = process;
  const ours = join(base, OURS);
  try {
    if (!files.exists(ours)) files.make(ours);
    if (!files.exists(join(ours, "cgroup.kill"))) throw new Error("the kernel is older than 5.14");
    files.write(join(ours, "cgroup.procs"), String(pid));
    files.write(join(base, "cgroup.subtree_control"), NEEDED.map((name) => `+${name}`).join(" "));
    return { kind: "ready", base };
  } catch (error) {
    undo(files, { base, ours, pid });
    return { kind: "impossible", why: messageOf(error) };
  }
}

function undo(
  files: GroupFiles,
  { base, ours, pid }: { readonly base: string; readonly ours: string; readonly pid: number },
): void {
  try {
    files.write(join(base, "cgroup.procs"), String(pid));
    files.remove(ours);
  } catch {
    // It stays in a group without limits, which harms nothing.
  }
}

function ownGroup(files: GroupFiles, proc: string): { readonly path: string } | { readonly why: string } {
  const group = /^0::(\/.*)$/m.exec(textOf(files, join(proc, "cgroup")))?.[1];
  // Fields: id, parent, device, root, mount point, …; after a lone hyphen the type.
  const mount = textOf(files, join(proc, "mountinfo"))
    .split("\n")
    .map((line) => line.split(" "))
    .find((fields) => fields[fields.indexOf("-") + 1] === "cgroup2");
  const [, , , root = "", point = ""] = mount ?? [];
  if (group === undefined || mount === undefined)
    return { why: "control groups of version 2 are not mounted" };
  const within = belowRoot(group, root);
  // A group outside of what is mounted, as in a container without a namespace of groups, begins with /...
  if (within === null || within.startsWith("/..")) return { why: `its group ${group} is not mounted` };
  return { path: within === "" ? point : join(point, within) };
}

/** Returns the way from the root of a mount to a group; empty for the root itself, null for a group outside. */
function belowRoot(group: string, root: string): string | null {
  const top = root === "/" ? "" : root;
  if (group === root) return "";
  return group.startsWith(`${top}/`) ? group.slice(top.length) : null;
}

function has(files: GroupFiles, path: string): boolean {
  const names = textOf(files, path).trim().split(/\s+/);
  return NEEDED.every((name) => names.includes(name));
}

/** Empty for a file that is not there. */
function textOf(files: GroupFiles, path: string): string {
  try {
    return files.read(path);
  } catch {
    return "";
  }
}
