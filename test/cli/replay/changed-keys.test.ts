import { expect, it } from "vitest";
import { changedKeys } from "../../../src/cli/replay/changed-keys.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";

const BASE = someSettings({ roles: rolesOf(aRole({ name: "feat-dev" }), aRole({ name: "bug-fix" })) });

/** The keys that differ, and the sections. */
function named(other: object) {
  const { keys, sections } = changedKeys(BASE, Object.assign({}, BASE, other));
  return { keys: keys.map(({ key }) => key), sections: sections.map(({ key }) => key) };
}

it("names what differs as the configuration writes it, down to the second level", () => {
  expect(named({})).toEqual({ keys: [], sections: [] });
  expect(named({ policy: { ...BASE.policy, whoMayCommand: "admin", protectedPaths: [] } })).toEqual({
    keys: ["policy.who_may_command", "policy.protected_paths"],
    sections: ["policy"],
  });
});

it("takes a list as one value, and an entry of a map by its name", () => {
  expect(named({ repositories: ["acme/*", "other/*"] }).keys).toEqual(["repositories"]);
  const roles = rolesOf(aRole({ name: "feat-dev", singleton: true }), aRole({ name: "docs-dev" }));
  expect(named({ roles }).keys).toEqual(["roles.feat-dev", "roles.bug-fix", "roles.docs-dev"]);
});

it("takes what one of the two does not have, or has otherwise, as one value", () => {
  const more = { telemetry: { endpoint: "http://a" } };
  expect(named(more).keys).toEqual(["telemetry"]);
  const { keys } = changedKeys({ ...BASE, ...more }, BASE);
  expect(keys.map(({ key }) => key)).toEqual(["telemetry"]);
  expect(named({ levels: ["pr"] }).keys).toEqual(["levels"]);
  expect(named({ roles: "all" }).keys).toEqual(["roles"]);
});

it("gives the first configuration with that one key of the second", () => {
  const other = {
    ...BASE,
    level: "observe" as const,
    merge: { auto: true, maxRisk: undefined, method: "rebase" as const },
  };
  const { keys, sections } = changedKeys(BASE, other);
  expect(keys.map(({ settings }) => settings)).toEqual([
    { ...BASE, merge: { auto: true, maxRisk: undefined, method: "squash" } },
    { ...BASE, merge: { auto: false, maxRisk: undefined, method: "rebase" } },
    { ...BASE, level: "observe" },
  ]);
  expect(sections.map(({ settings }) => settings)).toEqual([
    { ...BASE, merge: other.merge },
    { ...BASE, level: "observe" },
  ]);
});
