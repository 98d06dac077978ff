import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";
import { describe, expect, test } from "vitest";
import { variablesInForce } from "../../src/config/variables-in-force.ts";
import { ROUTES } from "../../src/dashboard/api/routes.ts";
import { seedDay } from "../browser/seed.ts";
import { compileAnswers, DOCUMENT, undescribed, WALKED } from "./described.ts";
import { asOperator, type Served, serve } from "./served.ts";

compileAnswers();

const HOUR = 3_600_000;
const AGENT = "acme%2Fshop%3Afeat-dev-issue-41";

async function aDay(): Promise<Served> {
  const served = await serve({ inForce: variablesInForce({}) });
  await seedDay(served.store, served.clock.now() + 10 * HOUR);
  return served;
}

describe("the OpenAPI document", () => {
  test("docs/schema/openapi.json is fresh, and what is served", async () => {
    const served = await serve();
    const { body } = await served.get("/api/openapi.json", asOperator);
    expect(body).toEqual(DOCUMENT);
    await expect(`${JSON.stringify(DOCUMENT, null, 2)}\n`).toMatchFileSnapshot(
      "../../docs/schema/openapi.json",
    );
  });

  test("is one by the schema that the OpenAPI Initiative publishes, each reference leads somewhere", () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addFormat("media-range", true);
    const schema: object = JSON.parse(readFileSync("test/fixtures/openapi/openapi-3.1.json", "utf8"));
    const isOpenApi = ajv.compile(schema);
    expect([isOpenApi(DOCUMENT), isOpenApi.errors]).toEqual([true, null]);
    expect(isOpenApi({ ...DOCUMENT, paths: { nowhere: {} } })).toBe(false);
    const schemas = Object.keys(JSON.parse(JSON.stringify(DOCUMENT)).components.schemas);
    const named = [...JSON.stringify(DOCUMENT).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(named.filter((name) => !schemas.includes(name ?? ""))).toEqual([]);
  });

  test("has each route once, with a name of its own", () => {
    const paths = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length);
    expect(Object.keys(DOCUMENT.paths).toSorted()).toEqual(
      [...new Set(ROUTES.map(({ path }) => path))].toSorted(),
    );
  });
});

/** A request for each read that finds something in the day of the seed. */
const READS = [
  "/healthz",
  "/readyz",
  "/api/schedules",
  "/api/acts",
  "/api/costs",
  "/api/settings",
  "/api/me",
  "/api/openapi.json",
  "/api/overview",
  "/api/first-steps",
  "/api/waiting",
  "/api/live-agents",
  "/api/ended-agents",
  "/api/agents?limit=2",
  "/api/agents?state=SLEEPING&role=feat-dev",
  "/api/agent-search?q=shop&state=any&order=costliest",
  `/api/agents/${AGENT}`,
  `/api/agents/${AGENT}/view`,
  `/api/agents/${AGENT}/transitions?order=latest`,
  `/api/agents/${AGENT}/decisions`,
  `/api/agents/${AGENT}/effects`,
  `/api/agents/${AGENT}/transcript`,
  `/api/agents/${AGENT}/evidence`,
  `/api/agents/${AGENT}/handoff`,
  `/api/agents/${AGENT}/diff`,
  "/api/tasks",
  "/api/goals?state=any",
  "/api/repositories/acme%2Fshop",
  "/api/goals/acme%2Fshop/28",
  "/api/ledger?by=issue",
  "/api/decisions?issue=acme/shop%2341",
  "/api/transitions",
  "/api/effects",
  "/api/deliveries",
];

test("every read answers as the document says, and so do its refusals", async () => {
  const served = await aDay();
  for (const path of READS) {
    const { status, body } = await served.get(path, asOperator);
    expect([path, status]).toEqual([path, 200]);
    expect(JSON.stringify(body)).not.toMatch(/:\[\],"next":null\}$/);
  }
  // Pictures are no JSON: `agent-evidence.test.ts` reads them.
  const reads = ROUTES.filter(
    ({ method, streams, media }) => method === "get" && streams !== true && media === undefined,
  );
  expect(reads.map(({ path }) => `get ${path}`).filter((path) => !WALKED.has(path))).toEqual([]);
  const refused = [
    ["/api/overview", {}, 401],
    ["/api/overview", { authorization: "Bearer wrong" }, 401],
    ["/api/agents?limit=0", asOperator, 400],
    ["/api/agents?limit=501", asOperator, 400],
    ["/api/agents?after=x", asOperator, 400],
    ["/api/tasks?state=no", asOperator, 400],
    ["/api/tasks?order=first", asOperator, 400],
    ["/api/repositories/acme%2Fshop?per=year", asOperator, 400],
    ["/api/repositories/acme%2Fnone", asOperator, 404],
    ["/api/agents/nobody/view", asOperator, 404],
    ["/api/events?after=x", asOperator, 400],
    ["/api/events?agent=nobody", asOperator, 404],
    ["/api/nothing", asOperator, 404],
  ] as const;
  for (const [path, headers, status] of refused)
    expect([path, (await served.get(path, headers)).status]).toEqual([path, status]);
});

test("an answer that is not described is found", () => {
  const asked = { method: "GET", segments: ["api", "waiting"] };
  expect(undescribed(asked, { status: 200, body: { waiting: [], next: null } })).toBeNull();
  expect(undescribed(asked, { status: 200, body: { waiting: [], next: null, more: 1 } })).toContain(
    "additional properties",
  );
  expect(undescribed(asked, { status: 418, body: {} })).toContain("not described");
  expect(undescribed({ method: "GET", segments: ["api", "new"] }, { status: 200, body: {} })).toContain(
    "without a route",
  );
});
