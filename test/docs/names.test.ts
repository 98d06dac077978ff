import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { keysOf, leavesOf, writtenSchema } from "../../src/config/written-schema.ts";
import { VERBS } from "../../src/domain/commands/command.ts";
import { DECISION_RULES } from "../../src/domain/decisions/rules.ts";
import { configKeys, configSchema } from "../../src/domain/settings/config-schema.ts";
import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { GUIDES } from "./pages.ts";

const SOURCES = globSync([
  "src/**/*.{ts,js}",
  "config/deploy/*.*",
  "{.env.example,.ci/run,package.json,Dockerfile,compose.yaml}",
])
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

const SPANS = GUIDES.flatMap(({ path, spans }) =>
  spans.map(({ line, text }) => ({ at: `${path}:${line}`, text })),
);

/** Everything of that form that stands between backticks, and of it what is not known. */
function unknown(
  form: RegExp,
  known: (name: string) => boolean,
): { all: number; strange: readonly string[] } {
  const named = SPANS.flatMap(({ at, text }) => {
    const [, name] = form.exec(text) ?? [];
    return name === undefined ? [] : [{ at, name }];
  });
  return {
    all: named.length,
    strange: named.filter(({ name }) => !known(name)).map(({ at, name }) => `${at}: ${name}`),
  };
}

const inSources = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(SOURCES);

const KEYS = new Set(
  keysOf(writtenSchema(configSchema))
    .flatMap(([key, schema]) => leavesOf(key, schema))
    .flatMap(([path]) => path.split(".").map((_, index, parts) => parts.slice(0, index + 1).join("."))),
);
const SECTIONS: readonly string[] = Object.values(configKeys).map(({ key }) => key);

describe("names that the pages give", () => {
  test("of environment variables are read somewhere", () => {
    const capability = "SYS_ADMIN";
    const { all, strange } = unknown(
      /^\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/,
      (name) => name === capability || inSources(name),
    );
    expect(strange).toEqual([]);
    expect(all).toBeGreaterThan(15);
  });

  test("of configuration keys are in the schema", () => {
    const key = new RegExp(`^((?:${SECTIONS.join("|")})(?:\\.[a-z_]+)+)(?::.*)?$`);
    const { all, strange } = unknown(key, (name) => KEYS.has(name) || ofOneRole(name));
    expect(strange.filter(isNotAdded)).toEqual([]);
    expect(all).toBeGreaterThan(30);
  });

  test("of commands in comments are known", () => {
    const { all, strange } = unknown(/^\/flotilla ([a-z]+)/, (name) => VERBS.some((verb) => verb === name));
    expect(strange).toEqual([]);
    expect(all).toBeGreaterThan(30);
  });

  test("of files of this repository are there", () => {
    const path = /^((?:src|test|docs|config|bench|\.ci)\/[\w./*-]+)$/;
    const { all, strange } = unknown(path, (name) =>
      name.includes("*") ? globSync(name).length > 0 : existsSync(name),
    );
    expect(strange).toEqual([]);
    expect(all).toBeGreaterThan(10);
  });

  test("of decisions are rules", () => {
    const named = GUIDES.flatMap(({ path }) =>
      [...readFileSync(path, "utf8").matchAll(/\bdecisions? `([a-z_]+)`/g)].map(
        ([, name = ""]) => `${path}: ${name}`,
      ),
    );
    const rules = new Set<string>(DECISION_RULES);
    expect(named.filter((one) => !rules.has(one.split(": ")[1] ?? ""))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  test("of paths of the API, of metrics and of labels are in the code", () => {
    const served = /^(?:(?:GET|POST) )?(\/(?:api\/[a-z]+|healthz|readyz|metrics))\b/;
    expect(unknown(served, isServed).strange).toEqual([]);
    expect(unknown(/^(flotilla_[a-z_]+)$/, isMetric).strange.filter(isNotAdded)).toEqual([]);
    const states = TASK_STATES.map((state) => stateLabel(state));
    expect(unknown(/^(flotilla:[a-z-]+)$/, (name) => states.includes(name)).strange).toEqual([]);
    const urls = GUIDES.flatMap(({ blocks }) => blocks).flatMap(({ text }) =>
      [...text.matchAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000(\/(?:api\/)?[a-z]*)/g)].map(
        ([, path = ""]) => path,
      ),
    );
    expect(urls.filter((path) => path !== "/" && !isServed(path))).toEqual([]);
    expect(urls.length).toBeGreaterThan(1);
  });
});

/** Returns false for a place on the page whose recipes add keys and metrics. */
function isNotAdded(place: string): boolean {
  return !place.startsWith("docs/developing.md:");
}

/** Written whole, or without what every name and each unit adds. */
function isMetric(name: string): boolean {
  return inSources(name) || SOURCES.includes(`"${name.replace(/^flotilla_|_(seconds|bytes|total)$/g, "")}"`);
}

/** Written as a path, or below `/api/` as a word of its own. */
function isServed(path: string): boolean {
  return SOURCES.includes(path) || SOURCES.includes(JSON.stringify(path.replace("/api/", "")));
}

/** `circuit_breakers.roles.reviewer` and the like: the name of a role stands in the middle. */
function ofOneRole(name: string): boolean {
  const role = z.string().regex(/^(roles|circuit_breakers\.roles)\.[a-z-]+/);
  return role.safeParse(name).success;
}
