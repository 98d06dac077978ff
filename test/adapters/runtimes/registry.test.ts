import { describe, expect, it } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { RefusedModels } from "../../../src/adapters/runtimes/gateway/refused-models.ts";
import { DEFAULT_RUNTIME, RUNTIMES } from "../../../src/adapters/runtimes/registry.ts";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import { environmentVariables } from "../../../src/domain/settings/environment-variables.ts";
import { TOOL_NAMES } from "../../../src/engine/tools/catalog.ts";
import { isOlder } from "../../../src/server/start-checks/is-older.ts";
import { realClock } from "./real-harness.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };

const isSettable = (name: string) => environmentVariables().safeParse({ [name]: "x" }).success;

it("the runtimes have names of their own, and the default is one of them", () => {
  const names = RUNTIMES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(RUNTIMES).toContain(DEFAULT_RUNTIME);
});

describe.each(RUNTIMES)("the runtime $name", (entry) => {
  it("is created as it declares itself", () => {
    const runner = createUnconfinedRunner(realClock);
    const created = entry.create({
      runner,
      log,
      clock: realClock,
      env: {},
      hosts: [],
      registries: false,
      removeTree,
      refusedModels: new RefusedModels(realClock),
    });
    expect(created.name).toBe(entry.name);
    expect(created.tools).toEqual(entry.tools);
    expect(entry.title).toMatch(/\S/);
  });

  it("has no tool that is named like one of ours", () => {
    expect(TOOL_NAMES.filter((name) => entry.tools.has(name))).toEqual([]);
  });

  it("says what its variables are, and no repository sets one of them", () => {
    const { account, variables } = entry;
    const names = Object.keys(variables);
    expect([...names, null]).toContain(account?.keyVariable ?? null);
    expect(names.filter(isSettable)).toEqual([]);
  });

  it("is installed here, and new enough", () => {
    const version = entry.version();
    expect([version, entry.oldest]).toEqual(Array(2).fill(expect.stringMatching(/^\d+\.\d+\.\d+/)));
    expect(isOlder(version, entry.oldest)).toBe(false);
  });
});
