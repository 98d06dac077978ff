import { expect, test } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import { helpOf, overview } from "../../src/commands/help.ts";

test("the overview names every command with its summary", () => {
  const text = overview(commands);
  const lines = text.split("\n");
  for (const { name, summary } of commands)
    expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))).toHaveLength(1);
  expect(commands.map(({ name }) => name)).toEqual([
    "serve",
    "demo",
    "init",
    "check",
    "doctor",
    "agents",
    "tasks",
    "explain",
    "pause",
    "resume",
    "deliveries",
    "ledger",
    "backup",
    "diagram",
  ]);
});

test.each(commands.map((command) => [command.name, command] as const))(
  "the help of %s says how to use it",
  (name, command) => {
    const text = helpOf(command);
    expect(text).toContain(`flotilla ${name}`);
    expect(text).toContain(command.summary);
    for (const line of command.details) expect(text).toContain(line);
  },
);
