import { expect, it } from "vitest";
import { turnFaults } from "../../src/config/role-rules.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { faultsOf, SOUND_YAML } from "./workplace.ts";

const faults = (written: object) =>
  turnFaults(configSchema.parse({ circuit_breakers: written }), "config.yaml");

it("takes up to 200 turns, and names the key that allows more", () => {
  expect(faults({ defaults: { max_turns: 200 } })).toEqual([]);
  expect(faults({ defaults: { max_turns: 201 } })).toEqual([
    "config.yaml: circuit_breakers.defaults.max_turns: 201 is more than 200; write 1 to 200, or raise circuit_breakers.turn_ceiling.",
  ]);
  expect(faults({ roles: { dev: { max_turns: 500 } } })[0]).toContain("circuit_breakers.roles.dev.max_turns");
});

it("takes more where the operator raises the ceiling", () => {
  expect(faults({ turn_ceiling: 500, defaults: { max_turns: 500 } })).toEqual([]);
});

const turns = (count: number) => `${SOUND_YAML}\ncircuit_breakers: { defaults: { max_turns: ${count} } }\n`;

it("refuses a configuration file with more, and takes one with as many", () => {
  expect(faultsOf(turns(200))).toEqual([]);
  expect(faultsOf(turns(201)).join()).toContain("circuit_breakers.defaults.max_turns: 201 is more than 200");
});
