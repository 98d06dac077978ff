import { expect, test } from "vitest";
import { lockOf } from "../../../../src/adapters/runtimes/acp/presets/locks.ts";
import { PRESETS } from "../../../../src/adapters/runtimes/acp/presets/presets.ts";

/** The machine on which the agents are tried. */
const HERE = { platform: "linux", arch: "x64" };

interface Locked {
  readonly packages: Record<
    string,
    { version?: string; integrity?: string; resolved?: string; dependencies?: Record<string, string> }
  >;
}

test.for([...PRESETS.values()])("the lock file of $name is that of its preset", (preset) => {
  const { packages }: Locked = JSON.parse(lockOf(preset.name, HERE) ?? "{}");
  const { name, version } = preset.package ?? { name: "", version: "" };
  const { "": root, ...others } = packages;
  expect(root?.dependencies).toEqual({ [name]: version });
  expect(others[`node_modules/${name}`]?.version).toBe(version);
  const hashed = /^sha512-[A-Za-z0-9+/]{86}==$/;
  const unhashed = Object.entries(others).filter(([, { integrity = "" }]) => !hashed.test(integrity));
  expect(unhashed).toEqual([]);
  // npm asks the registry that the operator has set.
  expect(Object.values(others).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});

test("there is no lock file for a machine whose program it lacks, nor for an unknown agent", () => {
  expect(lockOf("opencode", { platform: "linux", arch: "arm64" })).toBeNull();
  expect(lockOf("claude", { platform: "linux", arch: "arm64" })).not.toBeNull();
  expect(lockOf("nobody", HERE)).toBeNull();
});
