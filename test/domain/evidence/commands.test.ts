import { describe, expect, it } from "vitest";
import { commandsLeft, failedCommands } from "../../../src/domain/evidence/claimed-commands.ts";
import { everPrepared, setupFacts, setupLeft } from "../../../src/domain/evidence/setup.ts";
import type { EvidenceRow } from "../../../src/domain/kernel/rows.ts";

function row(overrides: Partial<EvidenceRow>): EvidenceRow {
  return {
    id: 1,
    agentId: 1,
    runId: 1,
    intentId: 5,
    kind: "command",
    commit: "c1",
    command: "npm test",
    holds: true,
    exitCode: 0,
    timedOut: false,
    output: "",
    durationMs: 1,
    digest: null,
    confidence: null,
    missing: null,
    createdAt: 0,
    ...overrides,
  };
}

const done = (command: string, digest: string, holds = true) =>
  row({ kind: "setup", intentId: null, commit: null, command, digest, holds });

describe("the commands of a claim", () => {
  const COMMANDS = ["npm run lint", "npm test"];

  it("are left until they ran on that commit, well or not", () => {
    expect(commandsLeft(COMMANDS, [], "c1")).toEqual(COMMANDS);
    expect(commandsLeft(COMMANDS, [row({ holds: false, exitCode: 1 })], "c1")).toEqual(["npm run lint"]);
    expect(commandsLeft(COMMANDS, [row({ commit: "c0" })], "c1")).toEqual(COMMANDS);
    expect(commandsLeft(COMMANDS, [row({ kind: "setup" })], "c1")).toEqual(COMMANDS);
  });

  it("are not run where the setup failed on that commit", () => {
    const setup = row({ kind: "setup", command: "npm ci", holds: false });
    expect(commandsLeft(COMMANDS, [setup], "c1")).toEqual([]);
    expect(commandsLeft(COMMANDS, [setup], "c2")).toEqual(COMMANDS);
  });

  it("that failed are told with how, those of another commit are not", () => {
    const how = { exitCode: 3, timedOut: false, output: "no" };
    const rows = [
      row({}),
      row({ holds: false, ...how }),
      row({ kind: "setup", command: "npm ci", holds: false, ...how }),
      row({ kind: "setup", command: "services.redis, services.db", holds: false, ...how }),
      row({ kind: "missing", holds: false, command: null }),
      row({ kind: "missing", holds: false, command: "odd" }),
      row({ commit: "c0", holds: false }),
    ];
    expect(failedCommands(rows, "c1")).toEqual([
      { kind: "command_failed", command: "npm test", ...how },
      { kind: "setup_failed", command: "npm ci", ...how },
      { kind: "services_failed", command: "services.redis, services.db", ...how },
    ]);
  });
});

describe("the setup of a worktree", () => {
  const COMMANDS = ["npm ci", "npm run build"];

  it("is left until each command ended well for the lock files as they are", () => {
    expect(setupLeft(COMMANDS, [], "d1")).toEqual(COMMANDS);
    expect(setupLeft(COMMANDS, [done("npm ci", "d1")], "d1")).toEqual(["npm run build"]);
    expect(setupLeft(COMMANDS, [done("npm ci", "d1", false)], "d1")).toEqual(COMMANDS);
    const both = [done("npm ci", "d1"), done("npm run build", "d1")];
    expect(setupLeft(COMMANDS, both, "d1")).toEqual([]);
    expect(setupLeft(COMMANDS, both, "d2")).toEqual(COMMANDS);
  });

  it("is left again when the lock files are as they were before the last setup", () => {
    const rows = [done("npm ci", "d1"), done("npm run build", "d1"), done("npm ci", "d2")];
    expect(setupLeft(COMMANDS, rows, "d1")).toEqual(COMMANDS);
  });

  it("is not that of a clean checkout", () => {
    const ofCheckout = row({ kind: "setup", command: "npm ci", digest: "d1" });
    expect(setupLeft(["npm ci"], [ofCheckout], "d1")).toEqual(["npm ci"]);
    expect(everPrepared(["npm ci"], [ofCheckout])).toBe(false);
  });

  it("was done once when each command has ended well, for whatever lock files", () => {
    expect(everPrepared(COMMANDS, [done("npm ci", "d1")])).toBe(false);
    expect(everPrepared(COMMANDS, [done("npm ci", "d1"), done("npm run build", "d2")])).toBe(true);
    expect(everPrepared(["npm ci"], [done("npm ci", "d1", false)])).toBe(false);
  });
});

it("what a setup does is decided by commands, hosts, cache and variables, and not by the order of names", () => {
  const repositoriesMay = { commands: true, services: true, hosts: [] };
  const setup = {
    commands: ["a", "b"],
    network: ["y.test", "x.test"],
    cache: ["n", "m"],
    reuse: [],
    environment: { B: "2", A: "1" },
    repositoriesMay,
  };
  const facts = JSON.stringify(setupFacts(setup));
  const reordered = {
    ...setup,
    network: ["x.test", "y.test"],
    cache: ["m", "n"],
    reuse: [],
    environment: { A: "1", B: "2" },
  };
  expect(JSON.stringify(setupFacts(reordered))).toBe(facts);
  for (const other of [
    { commands: ["b", "a"] },
    { network: ["x.test"] },
    { cache: [] },
    { environment: { A: "1" } },
  ])
    expect(JSON.stringify(setupFacts({ ...setup, ...other }))).not.toBe(facts);
});
