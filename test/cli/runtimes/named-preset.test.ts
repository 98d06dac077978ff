import { expect, test } from "vitest";
import { runtimes } from "../../../src/cli/commands/runtimes.ts";
import { workplace } from "../../config/workplace.ts";

const KNOWN = "claude | codex | gemini | opencode | qwen";

async function said(...args: string[]) {
  const lines: string[] = [];
  const code = await runtimes.run({
    env: {},
    cwd: workplace({}),
    args,
    options: {},
    print: (line) => void lines.push(line),
    complain: (line) => void lines.push(line),
  });
  return { code, lines };
}

test.each([
  [["add"], "Name one runtime.", `Run \`flotilla runtimes add ${KNOWN}\`.`],
  [["try", "claude", "codex"], "Name one runtime.", `Run \`flotilla runtimes try ${KNOWN}\`.`],
  [
    ["add", "cluade"],
    'There is no runtime "cluade". Did you mean "claude"?',
    `Run \`flotilla runtimes add ${KNOWN}\`.`,
  ],
  [
    ["add", "copilot"],
    "copilot is part of Flotilla: there is nothing to add.",
    `Run \`flotilla runtimes add ${KNOWN}\`.`,
  ],
  [["try", "codex"], "Codex is not installed.", "Run `flotilla runtimes add codex`."],
  [["remove", "codex"], 'There is no verb "remove".', "Run `flotilla runtimes list | add | try`."],
])("`flotilla runtimes` %s is refused, with the next step", async (args, ...lines) => {
  expect(await said(...args)).toEqual({ code: 1, lines });
});
