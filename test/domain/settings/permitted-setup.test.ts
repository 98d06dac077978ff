import { expect, test } from "vitest";
import {
  permissionFaults,
  permittedSetup,
  refusedHostNotices,
} from "../../../src/domain/settings/permitted-setup.ts";
import { settingsFor } from "../../../src/domain/settings/settings-for.ts";
import { someSettings } from "../../factories/some-settings.ts";

const operator = (commands: boolean) => ({
  network: ["ours.test"],
  repositoriesMay: { commands, services: true, hosts: ["theirs.test"] },
});
const written = {
  commands: ["go mod download"],
  network: ["ours.test", "theirs.test", "evil.test"],
  cache: ["go"],
};

test("a repository sets commands and cache, and of the hosts those that the operator has or permits", () => {
  expect(permittedSetup(operator(true), written)).toEqual({
    ...written,
    network: ["ours.test", "theirs.test"],
  });
  expect(refusedHostNotices(operator(true), written)).toEqual([
    "setup.network: evil.test is not permitted, so setup commands do not reach it; take it out, or ask the operator to add it to setup.repositories_may.hosts.",
  ]);
  expect(permissionFaults(operator(true), { setup: written })).toEqual([]);
});

test("where the operator lets no repository set commands, its commands are a fault and count for nothing", () => {
  expect(permittedSetup(operator(false), written)).not.toHaveProperty("commands");
  expect(permissionFaults(operator(false), { setup: written })).toEqual([
    "setup.commands: the operator lets no repository set it (setup.repositories_may.commands); take it out.",
  ]);
  expect(permissionFaults(operator(false), { setup: { cache: ["go"] } })).toEqual([]);
});

test("what a repository leaves out stays the operator's", () => {
  expect(permittedSetup(operator(true), {})).toEqual({});
  expect(refusedHostNotices(operator(true), {})).toEqual([]);
});

test("the settings of a repository never hold more than the operator permits, whatever an old file says", () => {
  const base = someSettings();
  const ours = { ...base, setup: { ...base.setup, commands: ["npm ci"], ...operator(false) } };
  const override = { roles: {}, limits: { defaults: {}, roles: {} }, setup: written };
  const { setup } = settingsFor(ours, override);
  expect(setup).toEqual({ ...ours.setup, network: ["ours.test", "theirs.test"], cache: ["go"] });
});
