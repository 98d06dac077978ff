import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { afterAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { z } from "zod";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { readScenario } from "../../src/demo/read-scenario.ts";
import { configKeys } from "../../src/domain/settings/config-schema.ts";
import { faultsOf, load, SOUND_YAML } from "../config/workplace.ts";
import { type Block, GUIDES } from "./pages.ts";

const BLOCKS = GUIDES.flatMap(({ blocks }) => blocks);
const SECTIONS: readonly string[] = Object.values(configKeys).map(({ key }) => key);
const record = z.record(z.string(), z.unknown());

/** What each language of a block must be. `sh` and `console` belong to commands.test.ts, `ts` and `diff` to recipes.test.ts. */
const LANGUAGES: Readonly<Record<string, (block: Block) => readonly string[]>> = {
  sh: () => [],
  console: () => [],
  ts: () => [],
  diff: () => [],
  text: () => [],
  mermaid: ({ text }) => (/^(flowchart|stateDiagram-v2|sequenceDiagram)\b/.test(text) ? [] : ["no diagram"]),
  markdown: ({ text }) => roleFaults(text),
  dockerfile: ({ text }) => validate(text).map(({ message }) => JSON.stringify(message)),
  json: ({ text }) => thrown(() => JSON.parse(text)),
  yaml: ({ page, text }) =>
    page === "docs/repository-file.md"
      ? readRepositoryFile(text, load(SOUND_YAML).config).faults
      : yamlFaults(text),
};

describe("the snippets in the pages", () => {
  test.each(BLOCKS.map((block) => [`${block.page}:${block.line}`, block] as const))(
    "are what they say they are: %s",
    (_, block) => {
      expect(Object.keys(LANGUAGES)).toContain(block.language);
      expect(LANGUAGES[block.language]?.(block)).toEqual([]);
    },
  );

  test("between backticks that read as configuration are taken by the loader", () => {
    const spans = GUIDES.flatMap(({ path, spans: all }) =>
      all.map(({ line, text }) => ({ at: `${path}:${line}`, text })),
    );
    const written = spans.filter(({ text }) => /^[a-z_]+: \{.*\}$/.test(text) && !text.includes("…"));
    const sections = written.filter(({ text }) => SECTIONS.includes(text.split(":")[0] ?? ""));
    expect(sections.flatMap(({ at, text }) => yamlFaults(text).map((fault) => `${at}: ${fault}`))).toEqual(
      [],
    );
    expect(sections.length).toBeGreaterThan(2);
  });

  test.each([
    ["sandbox: { mode: nnoe }", "sandbox.mode"],
    ["reviw: { required: true }\nsandbox: { mode: none }", "reviw"],
    ["title: x\nstory: []", "repository"],
    ["a: [", "flow"],
  ])("that are wrong are found: %s", (text, fault) => {
    expect(yamlFaults(text).join("\n").toLowerCase()).toContain(fault);
  });
});

/** Configuration by the loader, merged into one that is sound; a scenario by its reader; else it is YAML. */
function yamlFaults(text: string): readonly string[] {
  const broken = parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));
  if (broken.length > 0) return broken;
  const documents = parseAllDocuments(text);
  const written = record.safeParse(parseAllDocuments(text)[0]?.toJS()).data;
  if (documents.length !== 1 || written === undefined) return [];
  const keys = Object.keys(written);
  if (keys.includes("story")) return scenarioFaults(text);
  if (!keys.some((key) => SECTIONS.includes(key))) return [];
  // Variables that the pages name beside the keys.
  const env = {
    ANTHROPIC_API_KEY: "key",
    COLLECTOR_AUTHORIZATION: "Bearer key",
    DOCS_TOKEN_FOR_FLOTILLA: "token",
    ERRORS_AUTHORIZATION: "Bearer key",
    NPM_TOKEN: "token",
    EVERYBODY_URL: "https://example.com/everybody",
    OPENAI_API_KEY: "key",
    PAGER_KEY: `whsec_${"a".repeat(44)}`,
    PAGER_URL: "https://example.com/pager",
    TEAM_CHANNEL_URL: "https://example.com/team",
    PYPI_TOKEN: "token",
  };
  return faultsOf(
    stringify({ ...record.parse(parse(SOUND_YAML)), sandbox: { mode: "bubblewrap" }, ...written }),
    { env },
  );
}

const directory = mkdtempSync(join(tmpdir(), "flotilla-snippets-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function scenarioFaults(text: string): readonly string[] {
  const path = join(directory, "scenario.yaml");
  writeFileSync(path, text);
  return thrown(() => readScenario(path));
}

/** A role file is read with a role of its name that it may belong to. */
function roleFaults(text: string): readonly string[] {
  const [, name] = /^name: (\S+)$/m.exec(text) ?? [];
  if (name === undefined) return ["the role file has no name"];
  const roles = {
    [name]: { prompt: `${name}.md`, evidence: "code", triggers: [{ event: "issues.labeled", label: name }] },
  };
  return faultsOf(stringify({ ...record.parse(parse(SOUND_YAML)), roles }), {
    files: { [`config/roles/${name}.md`]: text },
  });
}

function thrown(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
