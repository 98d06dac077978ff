import { expect, test } from "vitest";
import { roles } from "../../src/cli/commands/roles.ts";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";
import { SOUND_ENV, SOUND_YAML, workplace } from "../config/workplace.ts";

async function run(
  args: readonly string[],
  options: {
    readonly yaml?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly json?: boolean;
    readonly prompt?: boolean;
  } = {},
) {
  const { yaml, files, ...flags } = options;
  const cwd = workplace({ ...(yaml === undefined ? {} : { "config.yaml": yaml }), ...files });
  const lines: string[] = [];
  const said: string[] = [];
  const code = await roles.run({
    env: SOUND_ENV,
    cwd,
    args,
    options: flags,
    print: (line) => void lines.push(line),
    complain: (line) => void said.push(line),
  });
  return { code, text: lines.join("\n"), said };
}

test("list shows the default roles, each with what starts it", async () => {
  const { code, text } = await run(["list"]);
  expect(code).toBe(0);
  expect(text.split("\n").map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ["triage", "issues.opened"],
    ["feat-dev", "issues.labeled feature"],
    ["bug-fix", "issues.labeled bug"],
    ["docs-dev", "issues.labeled documentation"],
    ["reviewer", "task.ready_for_review"],
  ]);
  expect(JSON.parse((await run([], { json: true })).text).roles).toHaveLength(5);
});

const YAML = `${SOUND_YAML}
setup: { environment: { PORT: "80" } }
services: { redis: { run: redis-server, ready: redis-cli ping, env: { REDIS_URL: "redis://127.0.0.1:6379" } } }
roles:
  docs-dev: { prompt: docs-dev.md, triggers: [{ event: issues.opened }] }
  evaluator: { prompt: evaluator.md, evidence: none }
`;

test("show tells what a role of the configuration is", async () => {
  const { code, text } = await run(["show", "evaluator"], { yaml: YAML });
  expect(code).toBe(0);
  expect(text).toMatch(
    /^evaluator: .*\n {2}starts when {2}a coder claims.*\n {2}runtime {6}copilot\n {2}model {8}gpt-4.1\n/,
  );
  expect(text).toMatch(/tools {8}read, read_issue, read_pr\n {2}prompt {7}\d+ characters/);
});

test("show --prompt prints the text that agents get before the first message", async () => {
  const { text } = await run(["show", "docs-dev"], { yaml: YAML, prompt: true });
  expect(text).toMatch(/^You are docs-dev\./);
  expect(text).toContain("- Branch: flotilla/docs-dev/issue-7,");
  expect(text).toContain("unconfined on the host's machine");
  expect(text).toContain("that check your work: PORT, REDIS_URL\n");
  expect(text).toMatch(/\n# Using your tools\n/);
  const { role, prompt } = JSON.parse((await run(["show", "docs-dev"], { yaml: YAML, json: true })).text);
  expect([role.name, prompt]).toEqual(["docs-dev", text]);
});

test("show names the services of a role with a shell alone", async () => {
  expect((await run(["show", "docs-dev"], { yaml: YAML })).text).toContain("\n  services     redis\n");
  const { text } = await run(["show", "evaluator", "--prompt"], { yaml: YAML });
  expect(text).not.toContain("redis");
});

test("show names a role's skills, and its prompt lists them by their descriptions", async () => {
  const files = {
    "config/roles/docs-dev.md": "---\ndescription: Writes.\ntools: [read]\nskills: [style]\n---\nWrite.\n",
    "config/roles/skills/style/SKILL.md": "---\nname: style\ndescription: How we write.\n---\nShort.\n",
  };
  const { text } = await run(["show", "docs-dev"], { yaml: YAML, files });
  expect(text).toContain("\n  skills       style\n");
  const { text: prompt } = await run(["show", "docs-dev"], { yaml: YAML, files, prompt: true });
  expect(prompt).toContain("\n- /data/skills/1/style/SKILL.md: How we write.\n");
  expect(prompt).not.toContain("Short.");
  const { role } = JSON.parse((await run(["show", "docs-dev"], { yaml: YAML, files, json: true })).text);
  expect(role.skills).toEqual([
    { name: "style", description: "How we write.", hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect((await run(["show", "bug-fix"], { files })).text).not.toContain("  skills ");
});

test.each([
  [["show"], "Run `flotilla roles show <role> [--prompt]`."],
  [["show", "a", "b"], "Run `flotilla roles show <role> [--prompt]`."],
  [["list", "a"], "Run `flotilla roles list`."],
  [["show", "nobody"], 'There is no role "nobody".'],
  [["prompt"], 'There is no verb "prompt".'],
])("%j is refused", async (args, message) => {
  const { code, text, said } = await run(args);
  expect([code, text, said[0]]).toEqual([1, "", message]);
});

test("a configuration with faults is refused with them", async () => {
  await expect(run(["list"], { yaml: "rolles: {}" })).rejects.toThrow(StartupRefused);
});
