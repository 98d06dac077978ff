import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { printSchema } from "../../src/config/published-schema.ts";
import { isMapping, valueAt } from "../../src/config/written-schema.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { repositoryFileSchema } from "../../src/domain/settings/repository-schema.ts";
import { KEYS_IN_FORCE } from "./keys-in-force.ts";

const isConfig = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(printSchema("config.json")),
);
const isRepositoryFile = new Ajv({ allowUnionTypes: true }).compile(
  JSON.parse(printSchema("repository-file.json")),
);

const EXAMPLE: unknown = parse(readFileSync("config.example.yaml", "utf8"));
const REPOSITORY_FILES = ["test/fixtures/onboarding/flotilla.yml", "test/fixtures/onboarding/tried.yml"].map(
  (path): unknown => parse(readFileSync(path, "utf8")),
);

/** Values that are wrong in most places. */
const WRONG: readonly unknown[] = [null, true, -1, 1.5, "2h", "x", [0], { x: 1 }];

type Path = readonly (string | number)[];

/** Every path of a document, from its top. */
function pathsOf(document: unknown, path: Path = []): readonly Path[] {
  const inner = Array.isArray(document)
    ? document.flatMap((value, index) => pathsOf(value, [...path, index]))
    : isMapping(document)
      ? Object.entries(document).flatMap(([key, value]) => pathsOf(value, [...path, key]))
      : [];
  return [path, ...inner];
}

/** A copy of the document with another value at the path. */
function changed(document: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = changed(valueAt(document, [first]), rest, value);
  if (Array.isArray(document)) return document.with(Number(first), inner);
  return { ...(isMapping(document) ? document : {}), [first]: inner };
}

/** The document with each of its values made wrong in each way, and with an unknown key in each mapping. */
function* disturbed(document: unknown): Generator {
  for (const path of pathsOf(document)) {
    for (const value of WRONG) yield changed(document, path, value);
    if (isMapping(valueAt(document, path))) yield changed(document, [...path, "not_a_key"], 1);
  }
}

/** What Flotilla finds wrong: the code of each fault, and the key. */
function faultsOf(document: unknown): readonly string[] {
  const { error } = configSchema.safeParse(document);
  return (error?.issues ?? []).map(({ code, path }) => `${code} ${path.slice(0, 2).join(".")}`);
}

/** Whole configurations: each key in force beside the others of the example. */
const WHOLE = KEYS_IN_FORCE.map(({ set }) => set).map((set): unknown => parse(set));

describe("the schema of config.yaml", () => {
  test("accepts the example, and every configuration that sets one key", () => {
    expect(isConfig(EXAMPLE)).toBe(true);
    const refused = WHOLE.filter(
      (document) => configSchema.safeParse(document).success && !isConfig(document),
    );
    expect(refused).toEqual([]);
    expect(WHOLE.length).toBeGreaterThan(150);
  });

  test("refuses nothing that Flotilla accepts, and accepts nothing whose form Flotilla refuses", () => {
    let count = 0;
    const tooStrict: unknown[] = [];
    const slips = new Set<string>();
    for (const document of [EXAMPLE, ...WHOLE].flatMap((each) => [...disturbed(each)])) {
      count += 1;
      const accepted = isConfig(document);
      const ours = configSchema.safeParse(document).success;
      if (ours && !accepted) tooStrict.push(document);
      if (!ours && accepted) for (const fault of faultsOf(document)) slips.add(fault);
    }
    expect(tooStrict).toEqual([]);
    expect(count).toBeGreaterThan(3_000);
    // What a value means, and what two values mean together, only `flotilla check` can say.
    expect([...slips].filter((fault) => !fault.startsWith("custom "))).toEqual([]);
    expect(slips.has("custom retention.effects")).toBe(true);
  });
});

describe("the schema of .github/flotilla.yml", () => {
  test("accepts what `flotilla onboard` proposes", () => {
    for (const file of REPOSITORY_FILES) expect(isRepositoryFile(file)).toBe(true);
  });

  test("accepts and refuses what Flotilla does, but for the meaning of values", () => {
    const full: unknown = parse(`
base: develop
bases: ["release-*", { label: stable, branch: stable }]
branches: "bots/{role}-{number}"
setup: { commands: [npm ci], environment: { CARGO_TERM_COLOR: never } }
services: { redis: { run: redis-server, ready: redis-cli ping, within: 30s } }
evidence: { commands: [npm test], timeout: 5m, max_bounces: 1, required_checks: [ci], evaluator_threshold: 0.9 }
review: { required: true, reviewers: 2, max_cycles: 2, lease: 10m }
circuit_breakers: { defaults: { max_turns: 40 }, roles: { bug-fix: { max_active_duration: 1h } } }
roles: { bug-fix: { triggers: [{ event: issues.labeled, label: crash }], plan_first: true } }
`);
    expect(isRepositoryFile(full)).toBe(true);
    const wrong = [...disturbed(full)].filter((document) => {
      const { success, error } = repositoryFileSchema.safeParse(document);
      const isMeant = error?.issues.some(({ code }) => code === "custom" || code === "invalid_union");
      return isMeant !== true && isRepositoryFile(document) !== success;
    });
    expect(wrong).toEqual([]);
  });
});
