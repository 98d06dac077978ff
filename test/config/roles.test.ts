import { describe, expect, test } from "vitest";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const LABELED = "triggers: [{ event: issues.labeled, label: crash }]";
const roles = (text: string) => `${SOUND_YAML}roles:\n${text}\n`;
const FRONT = "---\ndescription: Fixes.\ntools: [read]\n---\nYou fix.\n";
const withFile = (text: string) =>
  faultsOf(roles(`  mender: { prompt: mender.md, ${LABELED} }`), {
    files: { "config/roles/mender.md": text },
  });

describe("roles of the configuration", () => {
  test.each([
    [
      "  a: { prompt: bug-fixx.md, triggers: [{ event: issues.opened }] }",
      'config/roles/bug-fixx.md cannot be read. Did you mean "bug-fix.md"?',
    ],
    [
      "  a: { prompt: ../x.md, triggers: [{ event: issues.opened }] }",
      "roles.a.prompt: write the name of a .md file in agents_dir",
    ],
    [
      "  bug-fix: { prompt: bug-fix.md, triggers: [{ event: issues.labelled, label: x }] }",
      'roles.bug-fix.triggers[0].event: unknown event "issues.labelled". Did you mean "issues.labeled"?',
    ],
    [
      "  bug-fix: { prompt: bug-fix.md, triggers: [{ event: issues.labeled }] }",
      "roles.bug-fix.triggers[0].label: is missing",
    ],
    [
      "  bug-fix: { prompt: bug-fix.md, triggers: [{ event: issues.opened, label: x }] }",
      "roles.bug-fix.triggers[0].label: has no effect with issues.opened",
    ],
    ["  bug-fix: { prompt: bug-fix.md }", "roles.bug-fix.triggers: no event leads to this role"],
    [
      `  bug-fix: { prompt: bug-fix.md, lifecycle: ephemeral, ${LABELED} }`,
      "roles.bug-fix.evidence: an ephemeral role has no branch",
    ],
    [
      `  bug-fix: { prompt: bug-fix.md, checkout: head, ${LABELED} }`,
      "roles.bug-fix.checkout: only an ephemeral role has one",
    ],
    [`  Bug_Fix: { prompt: bug-fix.md, ${LABELED} }`, "roles.Bug_Fix: write a role's name in lower case"],
  ])("%s", (text, fault) => {
    expect(faultsOf(roles(text))).toEqual([expect.stringContaining(fault)]);
  });

  test("no role starts by the label that makes an issue a goal's", () => {
    const text = "  bug-fix: { prompt: bug-fix.md, triggers: [{ event: issues.labeled, label: Goal }] }";
    expect(faultsOf(roles(text))).toEqual([
      'config.yaml: roles.bug-fix.triggers[0].label: "Goal" makes an issue a goal\'s; take another label.',
    ]);
  });

  test("two roles may not share a label, whatever its case", () => {
    const text = `  bug-fix: { prompt: bug-fix.md, ${LABELED} }
  feat-dev: { prompt: feat-dev.md, triggers: [{ event: issues.labeled, label: Crash }] }`;
    expect(faultsOf(roles(text))).toEqual([
      'config.yaml: roles.feat-dev.triggers[0].label: "Crash" already starts bug-fix; give each role its own label.',
    ]);
  });

  test("the shipped planner is sound, and its tools are all there", () => {
    const planner =
      "  planner: { prompt: planner.md, evidence: outputs, triggers: [{ event: issues.labeled, label: plan-work }] }";
    const { config, notices } = load(roles(planner));
    expect(notices).toEqual([]);
    expect(config.roles.get("planner")).toMatchObject({ capabilities: ["read"], evidence: "outputs" });
    expect(config.roles.get("planner")?.tools).toEqual(
      expect.arrayContaining(["create_sub_issue", "finalize_plan", "rescope_task", "supersede_task"]),
    );
  });

  const ENDED = "triggers: [{ event: task.merged }, { event: task.rejected }]";

  test("the shipped retrospective is sound, and only proposes", () => {
    const { config, notices } = load(
      roles(`  retrospective: { prompt: retrospective.md, lifecycle: ephemeral, evidence: none, ${ENDED} }`),
    );
    expect(notices).toEqual([]);
    expect(config.roles.get("retrospective")).toMatchObject({
      capabilities: [],
      tools: ["read_issue", "read_pr", "propose_lesson", "get_my_status", "report_complete"],
    });
  });

  test.each(["evidence: none", "lifecycle: ephemeral, evidence: outputs"])(
    "a retrospective with { %s } is refused",
    (keys) => {
      expect(faultsOf(roles(`  retrospective: { prompt: retrospective.md, ${keys}, ${ENDED} }`))).toEqual([
        "config.yaml: roles.retrospective: task.merged and task.rejected start a retrospective; write lifecycle: ephemeral and evidence: none.",
      ]);
    },
  );

  test("an evaluator needs no trigger, and the shipped one is sound", () => {
    const { config, notices } = load(roles("  evaluator: { prompt: evaluator.md, evidence: none }"));
    expect(notices).toEqual([]);
    expect(config.roles.get("evaluator")).toMatchObject({
      triggers: [],
      capabilities: ["read"],
      tools: ["read_issue", "read_pr"],
    });
  });

  test.each([
    [
      "evidence: none, triggers: [{ event: issues.opened }]",
      "[read]",
      "roles.evaluator.triggers: nothing starts an evaluator",
    ],
    ["singleton: true", "[read]", "roles.evaluator.evidence: an evaluator completes nothing of its own"],
    ["evidence: none", "[read, shell]", "an evaluator only reads; take out shell"],
    ["evidence: none", "[read, commit]", "an evaluator only reads; take out commit"],
  ])("an evaluator with { %s } and tools %s is refused", (keys, tools, fault) => {
    const files = { "config/roles/judge.md": FRONT.replace("[read]", tools) };
    expect(faultsOf(roles(`  evaluator: { prompt: judge.md, ${keys} }`), { files })).toEqual([
      expect.stringContaining(fault),
    ]);
  });

  test("a role whose plan comes first must be able to submit one", () => {
    const entry = `  mender: { prompt: mender.md, plan_first: true, ${LABELED} }`;
    expect(faultsOf(roles(entry), { files: { "config/roles/mender.md": FRONT } })).toEqual([
      expect.stringContaining(
        "roles.mender.plan_first: config/roles/mender.md has no submit_plan among its tools",
      ),
    ]);
    const files = { "config/roles/mender.md": FRONT.replace("[read]", "[read, submit_plan]") };
    expect(faultsOf(roles(entry), { files })).toEqual([]);
  });

  test("only an evaluator has the tool to answer with", () => {
    expect(withFile(FRONT.replace("[read]", "[read, submit_evaluation]"))).toEqual([
      "config/roles/mender.md: tools: only the role evaluator has submit_evaluation; take it out.",
    ]);
  });

  test("limits for a role that does not exist are refused, but the default ones are not", () => {
    const text = roles(`  bug-fix: { prompt: bug-fix.md, ${LABELED} }`);
    expect(faultsOf(text)).toEqual([]);
    expect(faultsOf(`${text}circuit_breakers: { roles: { bugfix: { max_turns: 3 } } }\n`)).toEqual([
      'config.yaml: circuit_breakers.roles.bugfix: there is no such role. Did you mean "bug-fix"?',
    ]);
  });

  test("an ephemeral role is offered nothing that asks and waits, though its file names it", () => {
    const file = "---\ndescription: A role.\ntools: [comment, ask_human, report_complete]\n---\nWork.\n";
    const tools = (entry: string) =>
      load(roles(`  bug-fix: { prompt: mender.md, ${LABELED}, ${entry} }`), {
        files: { "config/roles/mender.md": file },
      }).config.roles.get("bug-fix")?.tools;
    expect(tools("lifecycle: ephemeral, evidence: outputs")).toEqual(["comment", "report_complete"]);
    expect(tools("lifecycle: persistent")).toEqual(["comment", "ask_human", "report_complete"]);
  });

  test("stateful is another word for persistent", () => {
    const { config } = load(roles(`  bug-fix: { prompt: bug-fix.md, lifecycle: stateful, ${LABELED} }`));
    expect(config.roles.get("bug-fix")?.lifecycle).toBe("persistent");
  });
});

describe("role files", () => {
  test("front matter and prompt become the role", () => {
    const text = `---\r
name: mender\r
description: Fixes.\r
emoji: "🔧"\r
model: gpt-5\r
temperature: 0.2\r
tools: [shell, commit, read, report_complete]\r
limits: { max_turns: 9, max_active_duration: 10m }\r
ttl: 8h\r
labels: { team: core, area: api }\r
tags: [nightly, nightly, v1.2]\r
---\r
You fix.\r
---\r
Really.\r
`;
    const files = { "config/roles/mender.md": text };
    const { config } = load(roles(`  mender: { prompt: mender.md, ${LABELED} }`), { files });
    expect(config.roles.get("mender")).toEqual({
      name: "mender",
      description: "Fixes.",
      emoji: "🔧",
      runtime: undefined,
      model: "gpt-5",
      otherModels: [],
      temperature: 0.2,
      lifecycle: "persistent",
      evidence: "code",
      checkout: undefined,
      singleton: false,
      planFirst: false,
      triggers: [{ event: "issues.labeled", label: "crash" }],
      capabilities: ["read", "shell"],
      tools: ["commit", "report_complete"],
      mcpTools: [],
      skills: [],
      prompt: "You fix.\r\n---\r\nReally.",
      limits: { maxTurns: 9, maxActiveDurationMs: 600_000 },
      attributes: { ttlMs: 8 * 3_600_000, labels: ["team=core", "area=api"], tags: ["nightly", "v1.2"] },
    });
  });

  test.each([
    ["You fix.\n", "config/roles/mender.md: has no front matter"],
    ["---\ndescription: Fixes.\ntools: []\n", "config/roles/mender.md: has no front matter"],
    ["---\ndescription: Fixes.\ntools: []\n---\n \n", "config/roles/mender.md: has no prompt"],
    ["---\ndescription: M\ntools: []\ntools: []\n---\nx\n", /^config\/roles\/mender\.md:4: YAML: /],
    ["---\ntools: []\n---\nx\n", "config/roles/mender.md: description: is missing; write text."],
    ["---\ndescription: Fixes.\n---\nx\n", "config/roles/mender.md: tools: is missing; write a list."],
    [
      "---\ndescription: M\ntools: []\ntool: []\n---\nx\n",
      'config/roles/mender.md: tool: unknown key. Did you mean "tools"?',
    ],
    [
      "---\ndescription: M\ntools: [comit]\n---\nx\n",
      'config/roles/mender.md: tools[0]: unknown tool "comit". Did you mean "commit"?',
    ],
    ["---\ndescription: M\ntools: [read, read]\n---\nx\n", 'tools[1]: "read" is listed twice'],
    ["---\nname: bug-fix\ndescription: M\ntools: []\n---\nx\n", 'name: is "bug-fix", but the role is mender'],
    [
      "---\ndescription: M\ntools: []\nlimits: { max_turn: 5 }\n---\nx\n",
      'limits.max_turn: unknown key. Did you mean "max_turns"?',
    ],
    ["---\ndescription: M\ntools: []\nttl: 8\n---\nx\n", "ttl: write a duration with its unit"],
    ["---\ndescription: M\ntools: []\nttl: 0h\n---\nx\n", "ttl: write one number with its unit"],
    ["---\ndescription: M\ntools: []\ntags: [two words]\n---\nx\n", "tags: a tag is 1 to 50 letters"],
    ["---\ndescription: M\ntools: []\nlabels: { team: a=b }\n---\nx\n", "labels: a label is `key=value`"],
    [
      `---\ndescription: M\ntools: []\ntags: [${Array.from({ length: 21 }, (_, at) => `t${at}`).join()}]\n---\nx\n`,
      "tags: write at most 20",
    ],
    ...[
      ["-0", "write 0 without a sign."],
      ["-1", "write a number of at least 0."],
      ["2", "write a number of at most 1."],
      ["1e999", "is not a finite number; write a number."],
      [".nan", "is not a finite number; write a number."],
      ["0,5", "is text; write a number."],
      ["٠.٥", "is text; write a number."],
      ["", "is empty; write a number, or leave the key out."],
      ["[1]", "is a list; write a number."],
    ].map(([value, fault]): [string, string] => [
      `---\ndescription: M\ntools: []\ntemperature: ${value}\n---\nx\n`,
      `config/roles/mender.md: temperature: ${fault}`,
    ]),
  ])("%j is refused", (text, fault) => {
    const faults = withFile(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  test("all that is wrong with a file is told at once", () => {
    expect(withFile("---\ntools: [edti, edit]\nlimts: {}\nskills: [none-such]\n---\n")).toEqual([
      expect.stringContaining("description: is missing"),
      expect.stringContaining('limts: unknown key. Did you mean "limits"?'),
      expect.stringContaining('tools[0]: unknown tool "edti". Did you mean "edit"?'),
      expect.stringContaining('skills[0]: there is no folder "none-such"'),
      expect.stringContaining("has no prompt"),
    ]);
  });

  test("a temperature needs a provider, whose requests alone pass the host", () => {
    const files = {
      "config/roles/mender.md": "---\ndescription: M\ntools: []\ntemperature: 0.2\n---\nx\n",
    };
    const given = { files, env: { COPILOT_GITHUB_TOKEN: "t" } };
    const text = roles(`  mender: { prompt: mender.md, ${LABELED} }`);
    expect(faultsOf(text, given)).toEqual([]);
    expect(faultsOf(text.replace(/provider: \{.*?\}, /, ""), given)).toEqual([
      "config/roles/mender.md: temperature: works only with runtime.provider, which is missing; take it out, or configure a provider.",
    ]);
    // A faulty runtime is told alone.
    expect(faultsOf(text.replace("api_key_env: MODEL_API_KEY", "api_key_env: 1"), given)).toHaveLength(1);
  });

  test("its limits lower what configuration says, and never raise it", () => {
    const files = {
      "config/roles/mender.md":
        "---\ndescription: M\ntools: []\nlimits: { max_turns: 9, max_iterations: 99 }\n---\nx\n",
    };
    const { config } = load(roles(`  mender: { prompt: mender.md, ${LABELED} }`), { files });
    const mender = config.roles.get("mender");
    expect(mender && limitsFor(config, mender)).toMatchObject({ maxTurns: 9, maxIterations: 5 });
  });
});
