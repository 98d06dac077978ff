import { join } from "node:path";
import { expect, test } from "vitest";
import type { GroupFiles } from "../../../../src/adapters/sandbox/groups/group-files.ts";
import { claimGroup, standingOf } from "../../../../src/adapters/sandbox/groups/own-group.ts";
import { aGroupTree, type GroupTree, PID } from "./group-tree.ts";

const own = ({ proc }: GroupTree) => ({ proc, pid: PID });

test("moves Flotilla into a group of its own before the others may have limits", () => {
  const tree = aGroupTree();
  const { service, read } = tree;
  const written: string[] = [];
  const files: GroupFiles = {
    ...tree.files,
    write(path, text) {
      written.push(path.slice(service.length + 1));
      tree.files.write(path, text);
    },
  };
  expect(claimGroup(files, own(tree))).toEqual({ kind: "ready", base: service });
  expect(written).toEqual(["flotilla/cgroup.procs", "cgroup.subtree_control"]);
  expect(read(join(service, "flotilla/cgroup.procs"))).toBe(String(PID));
  expect(read(join(service, "cgroup.subtree_control"))).toBe("+memory +pids");
});

test("finds that it has moved already, as after a restart within the process or for doctor", () => {
  const tree = aGroupTree();
  const { service, proc, put, children } = tree;
  put(join(proc, "cgroup"), "0::/system.slice/flotilla.service/flotilla\n");
  put(join(service, "cgroup.subtree_control"), "memory pids\n");
  expect(standingOf(tree.files, own(tree))).toEqual({ kind: "ready", base: service });
  expect(claimGroup(tree.files, own(tree))).toEqual({ kind: "ready", base: service });
  expect(children(service)).toEqual([]);
});

test("sees a group below the top of what is mounted, as in a container", () => {
  const tree = aGroupTree();
  const { service, proc, put, read } = tree;
  put(join(proc, "cgroup"), "0::/pod/one\n");
  put(
    join(proc, "mountinfo"),
    read(join(proc, "mountinfo")).replace(/ \/ (\S+cgroup) /, ` /pod/one ${service} `),
  );
  expect(standingOf(tree.files, own(tree))).toEqual({ kind: "possible", base: service });
});

test("the topmost group may keep its processes", () => {
  const tree = aGroupTree(["cgroup.type"]);
  tree.put(join(tree.service, "cgroup.procs"), `1\n${PID}\n`);
  expect(standingOf(tree.files, own(tree))).toMatchObject({ kind: "possible" });
});

const refuses = (name: string): Partial<GroupFiles> => ({
  assertWritable(path) {
    if (path.endsWith(name)) throw new Error("EROFS: read-only file system");
  },
});

test.each<[string, RegExp, (tree: GroupTree) => Partial<GroupFiles> | void]>([
  ["a system without /proc", /version 2 are not mounted/, ({ proc }) => ({ read: () => missing(proc) })],
  [
    "only version 1",
    /version 2 are not mounted/,
    ({ proc, put }) => put(join(proc, "cgroup"), "4:memory:/old\n"),
  ],
  ["version 2 that is not mounted", /not mounted/, ({ proc, put }) => put(join(proc, "mountinfo"), "")],
  ["a group elsewhere", /its group \/elsewhere is not mounted/, elsewhere],
  [
    "a group above",
    /its group \/\.\.\/\.\. is not mounted/,
    ({ proc, put }) => put(join(proc, "cgroup"), "0::/../..\n"),
  ],
  [
    "memory in version 1",
    /controllers memory and pids/,
    ({ service, put }) => put(join(service, "cgroup.controllers"), "hugetlb pids\n"),
  ],
  ["a group of root", /flotilla\.service is not writable/, () => refuses("/flotilla.service")],
  ["limits of root", /flotilla\.service is not writable/, () => refuses("cgroup.subtree_control")],
  [
    "a shell beside it",
    /other processes are in its group .*flotilla\.service/,
    ({ service, put }) => put(join(service, "cgroup.procs"), `4700\n${PID}\n`),
  ],
])("changes nothing with %s", (_, why, spoil) => {
  const tree = aGroupTree();
  const files = { ...tree.files, ...spoil(tree) };
  expect(claimGroup(files, own(tree))).toEqual({ kind: "impossible", why: expect.stringMatching(why) });
  expect(tree.children(tree.service)).toEqual([]);
  expect(tree.read(join(tree.service, "cgroup.subtree_control"))).toBe("");
});

test.each([
  ["cgroup.subtree_control", "EBUSY"],
  ["flotilla/cgroup.procs", "EACCES"],
])("goes back where the kernel refuses a write to %s", (name, code) => {
  const tree = aGroupTree();
  const files: GroupFiles = {
    ...tree.files,
    write(path, text) {
      if (path.endsWith(`flotilla.service/${name}`)) throw new Error(`${code}: write`);
      tree.files.write(path, text);
    },
    remove: (path) => {
      tree.put(join(path, "cgroup.procs"), "");
      tree.files.remove(path);
    },
  };
  expect(claimGroup(files, own(tree))).toEqual({ kind: "impossible", why: `${code}: write` });
  expect(tree.read(join(tree.service, "cgroup.procs"))).toContain(String(PID));
  expect(tree.children(tree.service)).toEqual([]);
});

test("needs a kernel that can kill a group", () => {
  const tree = aGroupTree(["cgroup.kill"]);
  expect(claimGroup(tree.files, own(tree))).toEqual({
    kind: "impossible",
    why: "the kernel is older than 5.14",
  });
  expect(tree.children(tree.service)).toEqual([]);
});

function elsewhere({ proc, put, read }: GroupTree): void {
  put(join(proc, "cgroup"), "0::/elsewhere\n");
  put(join(proc, "mountinfo"), read(join(proc, "mountinfo")).replace(/ \/ (\S+cgroup) /, " /pod $1 "));
}

function missing(path: string): never {
  throw new Error(`ENOENT: ${path}`);
}
