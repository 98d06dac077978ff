import type { SeenRequest, SeenResponse } from "../../src/demo/github/http/observe.ts";
import { checkGraphRequest } from "./check-graphql.ts";
import { createValidator, type JsonSchema } from "./compile.ts";
import { findOperation, type Operation, type Parameter, schemas } from "./operations.ts";

const validator = createValidator(schemas);

function faults(schema: JsonSchema, value: unknown, where: string): string[] {
  const validate = validator(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .toSorted((a, b) => b.instancePath.length - a.instancePath.length)
    .slice(0, 5)
    .map(
      (error) =>
        `${where}${error.instancePath}: ${error.message ?? "invalid"} ${JSON.stringify(error.params)}`,
    );
}

/** What is wrong with a request by GitHub's description of it: unknown operation, query or body. Empty when nothing. */
export function checkRequest(seen: SeenRequest): string[] {
  if (seen.path === "/graphql") return checkGraphRequest(seen.body).map((fault) => `GraphQL: ${fault}`);
  const operation = findOperation(seen.method, seen.path);
  if (operation === undefined) return [`${seen.method} ${seen.path} is not among the extracted operations.`];
  const found = [...checkQuery(operation, seen.query), ...checkBody(operation, seen.body)];
  return found.map((fault) => `${operation.name}: ${fault}`);
}

function checkQuery(operation: Operation, query: URLSearchParams): string[] {
  const known = operation.parameters.filter((parameter) => parameter.in === "query");
  const unknown = [...query.keys()].filter((name) => !known.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => `query ${name} is not described`),
    ...known.flatMap((parameter) => checkParameter(parameter, query.get(parameter.name))),
  ];
}

/** A query has only texts: one that reads as the described type is good. */
function checkParameter(parameter: Parameter, text: string | null): string[] {
  if (text === null) return parameter.required === true ? [`query ${parameter.name} is missing`] : [];
  const readings: unknown[] = [text, text.split(",")];
  if (/^(-?\d+|true|false)$/.test(text)) readings.push(JSON.parse(text));
  const results = readings.map((reading) => faults(parameter.schema, reading, `query ${parameter.name}`));
  return results.some((result) => result.length === 0) ? [] : (results[0] ?? []);
}

function checkBody(operation: Operation, body: unknown): string[] {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const empty = body === undefined || JSON.stringify(body) === "{}";
  if (schema === undefined) return empty ? [] : ["a body is not described"];
  if (body === undefined) return operation.requestBody?.required === true ? ["the body is missing"] : [];
  const described = schema["properties"];
  const unknown =
    typeof described === "object" && described !== null && typeof body === "object" && body !== null
      ? Object.keys(body).filter((name) => !(name in described))
      : [];
  return [...unknown.map((name) => `body/${name} is not described`), ...faults(schema, body, "body")];
}

/** Answers that any operation may give, with GitHub's plain error body. */
const anywhere = new Set([401, 403, 404, 422, 429, 500, 502, 503]);
const basicError: JsonSchema = { $ref: "#/components/schemas/basic-error" };

/** What is wrong with an answer: status not described, or a body that does not fit. Empty when nothing. */
export function checkResponse(seen: SeenResponse): string[] {
  const operation = findOperation(seen.method, seen.path);
  if (operation === undefined) return [];
  const label = (fault: string): string => `${operation.name} ${seen.status}: ${fault}`;
  if (seen.status === 304) return seen.body === undefined ? [] : [label("304 has a body")];
  const described = operation.responses[String(seen.status)];
  if (described === undefined) {
    if (!anywhere.has(seen.status)) return [label("the status is not described")];
    return faults(basicError, seen.body, "body").map(label);
  }
  const json = described.content?.["application/json"]?.schema;
  if (seen.contentType?.includes("json") === true) {
    if (json === undefined && seen.status < 400) return [label("a JSON body is not described")];
    return faults(json ?? basicError, seen.body, "body").map(label);
  }
  const bodyExpected = json !== undefined && seen.contentType === undefined;
  return bodyExpected ? [label("the described body is missing")] : [];
}
