import { expect, test } from "vitest";
import { refusalOf } from "../../../src/adapters/sandbox/probe.ts";

// As bubblewrap says them; those that a container of the tests can bring about are met in container.test.ts.
test.each([
  ["bwrap: No permissions to create new namespace, likely because the kernel does not allow", "seccomp"],
  ["bwrap: No permissions to creating new namespace, likely because the kernel does not allow", "seccomp"],
  ["bwrap: Creating new namespace failed: Operation not permitted", "seccomp"],
  ["bwrap: Failed to make / slave: Operation not permitted", "seccomp"],
  ["bwrap: Failed to mount tmpfs: Operation not permitted", "seccomp"],
  ["bwrap: pivot_root: Operation not permitted", "seccomp"],
  ["bwrap: Failed to make / slave: Permission denied", "apparmor"],
  ["bwrap: Failed to mount tmpfs: Permission denied", "apparmor"],
  ["bwrap: setting up uid map: Permission denied", "apparmor"],
  ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor"],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths"],
  [
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    "namespaces",
  ],
  ["bwrap: Can't find source path /work: No such file or directory", undefined],
  ["bwrap: execvp /usr/bin/prlimit: No such file or directory", undefined],
])("%s: %s", (words, permission) => {
  expect(refusalOf(`/usr/bin/bwrap did not start: ${words}\n`)?.permission).toBe(permission);
});
