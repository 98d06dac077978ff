import { expect, test } from "vitest";
import { agents } from "../../src/cli/commands/agents.ts";
import { deliveries } from "../../src/cli/commands/deliveries.ts";
import { tasks } from "../../src/cli/commands/tasks.ts";

test.each([
  [tasks, []],
  [agents, ["list"]],
  [deliveries, ["list"]],
])("a limit below one is refused by what it takes, case %#", async (command, args) => {
  for (const limit of ["-3", "0"]) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const context = { env: {}, cwd: "/nowhere", print, complain: print, options: { limit }, args };
    expect([await command.run(context), lines]).toEqual([1, ["--limit takes a number from 1."]]);
  }
});
