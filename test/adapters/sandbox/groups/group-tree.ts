import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type GroupFiles, groupFiles } from "../../../../src/adapters/sandbox/groups/group-files.ts";

const FILES: Readonly<Record<string, string>> = {
  "cgroup.controllers": "cpu io memory pids\n",
  "cgroup.events": "populated 0\n",
  "cgroup.kill": "",
  "cgroup.procs": "",
  "cgroup.subtree_control": "",
  "cgroup.type": "domain\n",
};

const LIMITS: Readonly<Record<string, string>> = {
  "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n",
  "memory.max": "max\n",
  "memory.oom.group": "0\n",
  "memory.swap.max": "max\n",
  "pids.max": "max\n",
};

/** A directory that stands in for the tree of control groups, with plain files; Flotilla is in the group `service`. */
export interface GroupTree {
  readonly files: GroupFiles;
  /** The directory of Flotilla's group as it begins. */
  readonly service: string;
  /** Stands in for its directory in /proc. */
  readonly proc: string;
  readonly put: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  /** Names of the groups in a group. */
  readonly children: (path: string) => readonly string[];
}

export const PID = 4711;

const put: GroupTree["put"] = (path, text) => writeFileSync(path, text);
const read: GroupTree["read"] = (path) => readFileSync(path, "utf8");
const children = (path: string): readonly string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** `lacks` are files that this kernel does not have. */
export function aGroupTree(lacks: readonly string[] = []): GroupTree {
  const root = mkdtempSync(join(tmpdir(), "flotilla-groups-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [point, proc] = [join(root, "cgroup"), join(root, "proc")];
  const service = join(point, "system.slice/flotilla.service");
  const fill = (directory: string, names: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(names))
      if (!lacks.includes(name)) put(join(directory, name), text);
  };
  const files: GroupFiles = {
    ...groupFiles,
    make(directory) {
      mkdirSync(directory);
      fill(directory, { ...FILES, ...LIMITS });
    },
    write(path, text) {
      groupFiles.write(path, text);
      if (path.endsWith("/cgroup.kill")) put(join(dirname(path), "cgroup.procs"), "");
    },
    remove(directory) {
      if (read(join(directory, "cgroup.procs")) !== "")
        throw Object.assign(new Error("EBUSY: it has processes"), { code: "EBUSY" });
      if (children(directory).length > 0)
        throw Object.assign(new Error("EBUSY: it has groups"), { code: "EBUSY" });
      rmSync(directory, { recursive: true });
    },
  };
  mkdirSync(service, { recursive: true });
  mkdirSync(proc);
  fill(service, FILES);
  put(join(service, "cgroup.procs"), `${PID}\n`);
  put(join(proc, "cgroup"), "4:memory:/old\n0::/system.slice/flotilla.service\n");
  put(
    join(proc, "mountinfo"),
    `25 30 0:23 / /proc rw - proc proc rw\n36 30 0:31 / ${point} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n`,
  );
  return { files, service, proc, put, read, children };
}
