import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";
import { z } from "zod";
import { openApi } from "../../src/dashboard/api/openapi.ts";
import { findRoute } from "../../src/dashboard/api/route.ts";
import { ROUTES } from "../../src/dashboard/api/routes.ts";

const operation = z.looseObject({
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }),
  ),
});
const documented = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** The document as a program reads it. */
export const DOCUMENT = documented.parse(JSON.parse(JSON.stringify(openApi(ROUTES))));

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
addFormats.default(ajv);
ajv.addVocabulary(["openapi", "info", "servers", "security", "tags", "paths", "components"]);
ajv.addSchema({ ...DOCUMENT, $id: "flotilla" });
const compiled = new Map<string, ValidateFunction>();

/** Routes that answered 200 as described since this file was loaded, by method and template. */
export const WALKED = new Set<string>();

/**
 * Returns what is not as the document says in an answer of the API; null if all is. A path without a route may only be
 * refused.
 */
export function undescribed(
  { method, segments }: { readonly method: string; readonly segments: readonly string[] },
  { status, body }: { readonly status: number; readonly body: unknown },
): string | null {
  const found = findRoute(ROUTES, method.toLowerCase(), segments);
  if (found === undefined) return [401, 404, 405, 429].includes(status) ? null : `${status} without a route`;
  const { path, method: name } = found.route;
  const types = Object.keys(DOCUMENT.paths[path]?.[name]?.responses[String(status)]?.content ?? {});
  const [type] = types;
  if (type === undefined) return `${name} ${path} answers ${status}, which is not described`;
  const validate = type === "application/json" ? validator(name, path, String(status)) : () => true;
  if (!validate(body))
    return `${name} ${path} ${status}: ${ajv.errorsText(compiled.get(`${name} ${path} ${status}`)?.errors)}`;
  if (status === 200) WALKED.add(`${name} ${path}`);
  return null;
}

/** Compiles what all routes answer, which takes a second: before a server that shares this thread awaits requests. */
export function compileAnswers(): void {
  for (const { method, path, streams, media } of ROUTES)
    if (streams !== true && media === undefined) validator(method, path, "200");
}

function validator(method: string, path: string, status: string): ValidateFunction {
  const key = `${method} ${path} ${status}`;
  const ref = `flotilla#/paths/${pointer(path)}/${method}/responses/${status}/content/${pointer("application/json")}/schema`;
  const validate = compiled.get(key) ?? ajv.compile({ $ref: ref });
  compiled.set(key, validate);
  return validate;
}

function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
