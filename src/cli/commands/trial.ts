import type { Command } from "../command.ts";
import { refused } from "../refused.ts";

const USAGE = [
  "flotilla trial owner/repo [--issues n] [--agent names] [--model names]",
  "       [--role role] [--setup command] [--test command] [--budget usd]",
  "       [--slots n] [--out file] [--against file]",
].join("\n");

export const trial: Command = {
  name: "trial",
  summary: "find out which agent and model solve your repository's own past issues, and at what cost",
  usage: USAGE,
  details: [
    "Looks for closed issues whose merged pull request changed tests. For each one, an agent gets the repository as it was before that work, with the issue's text of that time, and works on it in a Flotilla and on a GitHub of its own on this machine. The tests of the real pull request then judge what it hands in. An issue counts only if these tests fail without the real change and pass with it, twice each; the others are left out, each with its reason.",
    "Nothing is written on GitHub, and no agent can reach what came after. Agents work in the sandbox, with the prompt, tools and limits of their role and with models of your configuration, which you pay. Set a limit with --budget.",
    "Each finished step is a line in the file of --out; beside it is a page with each case, the real change and those of the agents. The same command goes on where a trial was stopped or killed. --against tries the cases of an older trial again and compares both case by case: so you can judge a changed role before you use it. docs/trial.md says more.",
  ],
  options: {
    issues: { type: "string", says: "how many cases to try; the default is 20", value: "n" },
    agent: {
      type: "string",
      says: "runtimes to compare, with commas between them; the default is that of the role",
      value: "names",
    },
    model: {
      type: "string",
      says: "models to compare, with commas between them; the default is that of each agent",
      value: "names",
    },
    role: { type: "string", says: "the role that works on the cases; the default is bug-fix", value: "role" },
    budget: { type: "string", says: "US dollars that the whole trial may cost", value: "usd" },
    setup: {
      type: "string",
      says: "the command that prepares a checkout; the default is the repository's setup.commands",
      value: "command",
    },
    test: {
      type: "string",
      says: "the command that runs the tests; the default is the repository's evidence.commands",
      value: "command",
    },
    slots: { type: "string", says: "how many agents work at the same time; the default is 2", value: "n" },
    out: { type: "string", says: "where the trial is written; the default is trial.jsonl", value: "file" },
    against: { type: "string", says: "an older trial to compare with, on its cases", value: "file" },
  },
  examples: [
    'flotilla trial acme/shop --issues 3 --setup "npm ci" --test "npm test"',
    "flotilla trial acme/shop --agent copilot,claude --budget 50",
    "flotilla trial acme/shop --out new-prompt.jsonl --against trial.jsonl",
  ],
  async run(context) {
    const [name] = context.args;
    if (name === undefined || context.args.length !== 1)
      return refused(context, "Run `flotilla trial owner/repo`.");
    // Loads Flotilla itself and the local GitHub, which no other command needs.
    const { tryOnIssues } = await import("../trial/try-on-issues.ts");
    return tryOnIssues(context, name);
  },
};
