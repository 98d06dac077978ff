import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "./compile.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface Operation {
  /** As in the fixture, e.g. "GET /repos/{owner}/{repo}". */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly required?: boolean; readonly content: Content } | null;
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Fixture {
  readonly operations: Readonly<Record<string, Omit<Operation, "name">>>;
  readonly schemas: JsonSchema;
}

const file = join(import.meta.dirname, "../fixtures/github/openapi.json");
const fixture: Fixture = JSON.parse(readFileSync(file, "utf8"));

/** GitHub's schemas by name, as far as the operations in use refer to them. */
export const schemas = fixture.schemas;

/** Parameters whose value may contain slashes. */
const wide = ["path", "ref", "branch", "basehead"];

/**
 * Where the description contradicts itself and cannot be met: it demands that the account of a listed installation is a
 * user and an enterprise at once. The single installation is described well, so the list is held to that.
 */
const installations = {
  "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/installation" } } },
};
const corrections: Readonly<Record<string, Pick<Operation, "responses">>> = {
  "GET /app/installations": { responses: { "200": { content: installations } } },
};

const operations = Object.entries(fixture.operations)
  .map(([name, rest]) => ({
    operation: { name, ...rest, ...corrections[name] },
    literals: name.split("/").filter((part) => !part.startsWith("{")).length,
    pattern: new RegExp(
      `^${name
        .replaceAll(".", "\\.")
        .replaceAll(/\{(\w+)\}/g, (_all, key: string) => (wide.includes(key) ? "(.+)" : "([^/]+)"))
        // GitHub lists the top of a repository where the path is empty.
        .replace("/contents/(.+)", "/contents(?:/(.+))?")}$`,
    ),
  }))
  .toSorted((a, b) => b.literals - a.literals);

/** The described operation that a request is for; the one with the most literal parts wins. */
export function findOperation(method: string, path: string): Operation | undefined {
  return operations.find(({ pattern }) => pattern.test(`${method} ${path}`))?.operation;
}
