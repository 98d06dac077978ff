import { describe, expect, test } from "vitest";
import { z } from "zod";
import { BUBBLEWRAP_IS_HERE } from "./bubblewrap-here.ts";
import { type Container, inContainer } from "./in-container.ts";
import { type Profile, shippedProfile } from "./seccomp-filter.ts";

const findings = z.array(z.object({ what: z.string(), next: z.string() }));
const probed = async (container: Container) =>
  findings.parse(JSON.parse(await inContainer(["test/adapters/sandbox/probe-child.ts"], container)));

const OURS = shippedProfile();
/** Bits of clone(2) that ask for namespaces: container engines refuse each of them, and clone3 for hiding them. */
const NAMESPACES = 0x7e02_0000;

function without(...rules: Profile["syscalls"]): Profile {
  return { ...OURS, syscalls: [...rules, ...OURS.syscalls] };
}
const refused = (...names: string[]): Profile["syscalls"][number] => ({
  names,
  action: "SCMP_ACT_ERRNO",
  errnoRet: 1,
});

/** As the engines' own: a process may start others, but not in namespaces of their own. */
const USUAL = without(
  {
    names: ["clone"],
    action: "SCMP_ACT_ALLOW",
    args: [{ index: 0, value: NAMESPACES, op: "SCMP_CMP_MASKED_EQ" }],
  },
  refused("clone", "unshare", "setns", "mount", "umount2", "pivot_root", "sethostname"),
  { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38 },
);

// The filter is made for one kind of machine.
const describeHere = BUBBLEWRAP_IS_HERE && process.arch === "x64" ? describe : describe.skip;

describeHere("in what stands in for a container", () => {
  test("the shipped seccomp profile and a whole /proc are enough for a user without rights", async () => {
    expect(await probed({ profile: OURS })).toEqual([]);
  });

  test.each<[string, Container, string]>([
    ["seccomp", { profile: USUAL }, "--security-opt seccomp=config/deploy/seccomp.json"],
    ["seccomp", { profile: without(refused("mount")) }, "--security-opt seccomp=config/deploy/seccomp.json"],
    [
      "systempaths",
      { profile: OURS, more: ["--ro-bind", "/proc/sys", "/proc/sys"] },
      "--security-opt systempaths=unconfined",
    ],
    [
      "systempaths",
      { profile: OURS, more: ["--ro-bind", "/proc", "/proc"] },
      "--security-opt systempaths=unconfined",
    ],
    ["namespaces", { profile: OURS, more: ["--disable-userns"] }, "user.max_user_namespaces"],
  ])("%s is named where it is missing: %#", async (permission, container, next) => {
    expect(await probed(container)).toEqual([
      {
        what: expect.stringContaining(`without ${permission}: `),
        next: expect.stringContaining(next),
      },
    ]);
  });

  test("the shipped profile refuses keys, rings and cryptography of the kernel, and nothing that processes live by", async () => {
    const asked = [
      ["keyctl", "syscall(250, 0, 0, 0, 0, 0)"],
      ["io_uring_setup", "syscall(425, 0, 0)"],
      ["socket of the family 38", "syscall(41, 38, 5, 0)"],
      ["socket of the family 16", "syscall(41, 16, 3, 0)"],
      ["personality that says what it is", "syscall(135, 0xffffffff)"],
      ["personality of another system", "syscall(135, 1)"],
      ["getpid", "syscall(39)"],
    ].map(([name, call]) => `$! = 0; ${call}; print "${name}: ", $! + 0, "\\n";`);
    const said = await inContainer(["-e", asked.join("\n")], { profile: OURS, file: "/usr/bin/perl" });
    expect(said.trim().split("\n")).toEqual([
      "keyctl: 1",
      "io_uring_setup: 1",
      "socket of the family 38: 38",
      "socket of the family 16: 0",
      "personality that says what it is: 0",
      "personality of another system: 38",
      "getpid: 0",
    ]);
  });
});
