import type { ScriptInput } from "../../src/demo/model/script.ts";
import { type Scenario, scenarioSchema } from "../../src/demo/scenario.ts";

export type Conversations = ScriptInput["conversations"];
export type Step = Conversations[number]["steps"][number];

/** The coders, each started by its label. Opening an issue starts no agent. */
export const CODERS = {
  "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
  "bug-fix": { prompt: "bug-fix.md", triggers: [{ event: "issues.labeled", label: "bug" }] },
  "docs-dev": { prompt: "docs-dev.md", triggers: [{ event: "issues.labeled", label: "documentation" }] },
};

/**
 * Creates a scenario: a private repository, its people, and what the model says. The test itself plays
 * the story.
 */
export function aScenario(options: {
  readonly conversations: Conversations;
  readonly config?: Readonly<Record<string, unknown>>;
}): Scenario {
  return scenarioSchema.parse({
    title: "a journey",
    repository: { name: "app", files: { "README.md": "# app\n" } },
    people: { octocat: "write", hubot: "read", mona: "triage" },
    config: { roles: CODERS, ...options.config },
    model: { conversations: options.conversations },
    story: [],
  });
}

/** Creates what the model says to the agent of a role on an issue. */
export function saysOn(issue: number, steps: readonly Step[], again?: string): Conversations[number] {
  return {
    match: `Work on issue #${issue} of`,
    steps: [...steps],
    ...(again === undefined ? {} : { again }),
  };
}

/** Creates the steps that write a file, commit it, open the pull request and report completion. */
export function makes(file: string): Step[] {
  return [
    call("bash", { command: `printf 'made\\n' > ${file}`, description: `Write ${file}` }),
    call("commit", { message: `Add ${file}` }),
    call("open_pr", { title: `Add ${file}`, body: `Adds ${file}, as asked.` }),
    call("report_complete", { summary: `${file} is there.` }),
  ];
}

export function call(tool: string, args: Readonly<Record<string, unknown>>): Step {
  return { call: [{ tool, args: { ...args } }] };
}

/** Turns the steps into a branch that a message starts. */
export function after(pattern: string, steps: readonly Step[]): Step[] {
  const [first, ...rest] = steps;
  if (first === undefined) throw new Error("a branch needs a step");
  return [{ ...first, after: pattern }, ...rest];
}
