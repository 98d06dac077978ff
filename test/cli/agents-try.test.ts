import { join } from "node:path";
import { expect, test } from "vitest";
import { agents } from "../../src/cli/commands/agents.ts";
import { SOUND_ENV, workplace } from "../config/workplace.ts";

const AGENT = join(import.meta.dirname, "../fixtures/acp/agent.ts");
const ENV = `{ AGENT_MODEL_URL: "{gateway}/v1", AGENT_KEY: "{key}", AGENT_MODEL: "{model}", AGENT_STATE: "{state}" }`;
const yaml = (prices: string, limits = "") => `
sandbox: { mode: none }
providers: { acme: { type: openai, base_url: "https://acme.example/v1", api_key_env: MODEL_API_KEY }, other: { type: anthropic, base_url: "https://other.example", api_key_env: MODEL_API_KEY } }
runtime: { use: mine, prices: { ${prices} } }
runtimes:
  mine: { command: [node, ${JSON.stringify(AGENT)}], models: [acme/big], env: ${ENV} }
  clever: { preset: claude, models: [other/big] }
${limits}
`;
const PRICED = yaml("big: { in: 30, cached: 3, out: 60 }");

async function tried(text: string, options = {}, args: readonly string[] = ["feat-dev"]) {
  const cwd = workplace({ "config.yaml": text });
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await agents.run({
    env: SOUND_ENV,
    cwd,
    args: ["try", ...args],
    options,
    print,
    complain: print,
  });
  return { code, lines, text: lines.join("\n") };
}

test("a role's turn is run with its runtime, and its tokens are priced by its model", async () => {
  const { code, lines, text } = await tried(PRICED, { json: true });
  const told = JSON.parse(text);
  expect(told).toMatchObject({
    role: "feat-dev",
    runtime: "mine",
    model: "acme/big",
    good: true,
    end: "idle",
    called: true,
    modelCalls: 2,
    started: [],
  });
  expect(lines).toHaveLength(1);
  expect(code).toBe(0);
  // The role's own instructions and tools are in each prompt.
  expect(told.promptTokens).toBeGreaterThan(2000);
  const { inputTokens, outputTokens } = told.used;
  expect(told.costMicroUsd).toBe(inputTokens * 30 + outputTokens * 60);
});

test("says in sentences what it came to, what the role may spend, and with which tool", async () => {
  const { text } = await tried(
    yaml(
      "big: { in: 30, cached: 3, out: 60 }",
      "circuit_breakers: { defaults: { max_cost_usd: 7, max_turns: 9 } }",
    ),
  );
  expect(text).toContain("feat-dev runs as mine (mine) with acme/big.");
  expect(text).toMatch(/^Its turn ended as idle, with a call of read_issue\.$/m);
  expect(text).toMatch(
    /^2 model calls used about [\d,]+ tokens of prompts and \d+ of answers; the longest prompt had [\d,]+\./m,
  );
  expect(text).toMatch(
    /^By `runtime\.prices` this costs about \$\d\.\d\d; an agent of the role may spend \$7\.00\.$/m,
  );
  expect(text).toContain("An agent of feat-dev may make 9 model calls");
});

test("a limit of the role ends the turn, and the exit code says so", async () => {
  const { code, text } = await tried(
    yaml("big: { in: 30, cached: 3, out: 60 }", "circuit_breakers: { defaults: { max_turns: 1 } }"),
    { json: true },
  );
  expect(JSON.parse(text)).toMatchObject({ good: false, modelCalls: 1 });
  expect(code).toBe(2);
});

test("a model without a price is named, since its limit of cost does not hold", async () => {
  const { code, text } = await tried(yaml(""));
  expect(code).toBe(0);
  expect(text).toContain("There is no price for big in `runtime.prices`");
});

test("a role that is not there, and a runtime that is not installed, are told with the next step", async () => {
  const unknown = await tried(PRICED, {}, ["feat-dov"]);
  expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining('There is no role "feat-dov".')]);
  const missing = await tried(PRICED.replace("use: mine", "use: clever"));
  expect(missing.code).toBe(1);
  expect(missing.text).toContain("Claude Code is not installed");
  expect(missing.text).toContain("Run `flotilla runtimes add claude`.");
});
