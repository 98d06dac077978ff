import { describe, expect, test } from "vitest";
import { faultsOf, load } from "./workplace.ts";

const ACCESS =
  'sandbox: { mode: none }\nruntime: { provider: { type: openai, base_url: "http://127.0.0.1:1/v1", api_key_env: MODEL_API_KEY }';
const UNPRICED = `${ACCESS} }\n`;
const PRICED = `${ACCESS}, prices: { gpt-4.1: { in: 2, cached: 0.5, out: 8 } } }\n`;
const breakers = (text: string) => `circuit_breakers: { ${text} }\n`;
const OFF = "defaults: { max_cost_usd: off }, repository_per_day: { max_cost_usd: off }";
const ROLE = "---\ndescription: Fixes.\ntools: [read]\n";

describe("a model without a price", () => {
  test("is named where only the defaults would limit its cost", () => {
    expect(load(UNPRICED).notices).toEqual([
      "config: max_cost_usd does not limit the model gpt-4.1, which has no price in runtime.prices; write its price, or max_cost_usd: off",
    ]);
  });

  test.each([
    ["runtime", "max_concurrent_agents: 0, ", ""],
    ["circuit_breakers", "", breakers("defaults: { max_cost_usd: 5, max_turns: many }")],
  ])("is no fault beside another one in %s, which hides what is written there", (section, more, rest) => {
    const faults = faultsOf(`${PRICED.replace("runtime: { ", `runtime: { ${more}`)}${rest}`);
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^config\\.yaml: ${section}\\.`))]);
  });

  test("is no matter where cost is not limited, or it has a price", () => {
    expect(load(`${UNPRICED}${breakers(OFF)}`).notices).toEqual([]);
    expect(load(PRICED).notices).toEqual([]);
    expect(load(`${PRICED}${breakers("defaults: { max_cost_usd: 5 }")}`).notices).toEqual([]);
  });

  test.each([
    ["defaults: { max_cost_usd: 20 }", "circuit_breakers.defaults.max_cost_usd", "triage, feat-dev"],
    [
      `${OFF}, roles: { bug-fix: { max_cost_usd: 3 } }`,
      "circuit_breakers.roles.bug-fix.max_cost_usd",
      "bug-fix",
    ],
    [
      "defaults: { max_cost_usd: off }, repository_per_day: { max_cost_usd: 3 }",
      "circuit_breakers.repository_per_day.max_cost_usd",
      "triage, feat-dev",
    ],
    ...["repository_per_month", "installation_per_day", "installation_per_month"].map((key) => [
      `${OFF}, budgets: { ${key}: 3 }`,
      `circuit_breakers.budgets.${key}`,
      "triage, feat-dev",
    ]),
  ])("is a fault with its cure where somebody wrote %s", (written, path, roles) => {
    const [fault, ...others] = faultsOf(`${UNPRICED}${breakers(written)}`);
    expect(others).toEqual([]);
    expect(fault).toContain(`the model gpt-4.1 (${roles}`);
    expect(fault).toContain(`so ${path} would not limit it`);
    expect(fault).toMatch(/write `"gpt-4\.1": \{ in: 2, .* or `max_cost_usd: off`\.$/);
  });

  test("is a fault where a role file limits its cost, or another model has a price", () => {
    const files = { "config/roles/bug-fix.md": `${ROLE}limits: { max_cost_usd: 2 }\n---\nMend.\n` };
    expect(faultsOf(UNPRICED, { files })).toEqual([expect.stringContaining("max_cost_usd of its role file")]);
    const other = { "config/roles/bug-fix.md": `${ROLE}model: gpt-5\n---\nMend.\n` };
    expect(faultsOf(PRICED, { files: other })).toEqual([
      expect.stringContaining("the model gpt-5 (bug-fix) has no price, so max_cost_usd would not limit it"),
    ]);
  });

  test("is a fault where a start may choose it", () => {
    const listed = PRICED.replace("prices:", "models: [gpt-5, gpt-4.1], prices:");
    expect(faultsOf(listed)).toEqual([
      expect.stringContaining("the model gpt-5 (triage, feat-dev, bug-fix, docs-dev, reviewer) has no price"),
    ]);
    expect(load(`${listed}${breakers(OFF)}`).notices).toEqual([]);
  });

  test("is no fault for a role whose own limit is off", () => {
    const written = "defaults: { max_cost_usd: 5 }, repository_per_day: { max_cost_usd: off }";
    const roles = ["triage", "feat-dev", "bug-fix", "docs-dev", "reviewer"];
    const off = roles.map((role) => `${role}: { max_cost_usd: off }`).join(", ");
    expect(faultsOf(`${UNPRICED}${breakers(`${written}, roles: { ${off} }`)}`)).toEqual([]);
  });
});
