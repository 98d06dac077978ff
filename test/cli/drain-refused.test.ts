import { expect, test } from "vitest";
import { drain } from "../../src/cli/commands/drain.ts";

test.each([
  [[""], {}, "The name of the machine is empty."],
  [[], { within: "5m" }, "add --after-turn"],
  [[], { "after-turn": true, within: "soon" }, '--within is no time: "soon".'],
  [["one", "two"], {}, "Run `flotilla drain [machine]"],
])("a drain of %j with %j says what is wrong, and asks for nothing", async (args, options, says) => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  // Without a data directory, whatever asks the running process fails.
  const code = await drain.run({ env: {}, cwd: "/", print, complain: print, options, args });
  expect({ code, text: lines.join("\n") }).toEqual({ code: 1, text: expect.stringContaining(says) });
});
