import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { RUNTIMES } from "../../src/adapters/runtimes/registry.ts";
import { DATABASES } from "../../src/adapters/store/registry.ts";
import { DECLARED } from "../../src/cli/declared.ts";
import { printExample } from "../../src/config/example.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { PUBLISHED_NAMES, printSchema } from "../../src/config/published-schema.ts";
import { printReference } from "../../src/config/reference.ts";
import { keysOf, leavesOf, writtenSchema } from "../../src/config/written-schema.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { SOUND_ENV } from "./workplace.ts";

describe("files made from the schema", () => {
  test("config.example.yaml is fresh", async () => {
    await expect(printExample()).toMatchFileSnapshot("../../config.example.yaml");
  });

  test.each(PUBLISHED_NAMES)("docs/schema/%s is fresh", async (name) => {
    await expect(printSchema(name)).toMatchFileSnapshot(`../../docs/schema/${name}`);
  });

  test("docs/configuration.md is fresh", async () => {
    await expect(printReference([...RUNTIMES, ...DATABASES])).toMatchFileSnapshot(
      "../../docs/configuration.md",
    );
  });

  test("the example loads as it is, with nothing that is not in force", () => {
    const { config, notices } = loadConfig({
      env: { ...SOUND_ENV, FLOTILLA_CONFIG: "config.example.yaml" },
      cwd: process.cwd(),
      ...DECLARED,
    });
    expect(notices).toEqual([]);
    expect([...config.roles.keys()]).toEqual(["triage", "feat-dev", "bug-fix", "docs-dev", "reviewer"]);
    expect(config.sandbox.mode).toBe("bubblewrap");
  });

  test("the example differs from the defaults only where its head says so", () => {
    const written: unknown = parse(readFileSync("config.example.yaml", "utf8"));
    const fromDefaults = configSchema.parse({});
    const { provider, prices, ...runtime } = configSchema.parse(written).runtime;
    expect(provider).toBeDefined();
    expect([...prices.keys()]).toEqual([runtime.model]);
    expect({ ...configSchema.parse(written), runtime: { ...runtime, prices: new Map() } }).toEqual({
      ...fromDefaults,
      project: { name: "acme" },
    });
  });

  test("every key has a description", () => {
    const silent = keysOf(writtenSchema(configSchema))
      .flatMap(([key, schema]) => leavesOf(key, schema))
      .filter(([, schema]) => !schema.description)
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });
});
