import { describe, expect, it } from "vitest";
import { readComment } from "../../../src/domain/commands/command.ts";

const read = (body: string) => readComment(body, "flotilla");

describe("comments that anybody may write", () => {
  const HEAVY = [
    "<!--",
    "`",
    "` `` ``` ",
    "\n>",
    ">",
    "> ",
    "1. ",
    "- ",
    "* a\n",
    "- a\n  ",
    ">a\n\n",
    "a\n=\n",
  ];
  const ALSO_HEAVY = [
    "\n    ",
    "``` \n",
    "[",
    "![",
    "]",
    "[]",
    "[a](",
    "*_",
    "*a ",
    "a|b\n-|-\n",
    "[^a]: ",
    "[x]: y\n",
  ];

  it.each([...HEAVY, ...ALSO_HEAVY])(
    "are read of 64 KiB of %j in less than two seconds of processor time",
    (part) => {
      const much = part.repeat(Math.ceil(65_536 / part.length));
      for (const body of [`/flotilla start\n${much}`, `${much}\n/flotilla start`]) {
        const begun = process.cpuUsage();
        read(body);
        const { user, system } = process.cpuUsage(begun);
        expect(user + system).toBeLessThan(2_000_000);
      }
    },
  );

  it.each([
    ["a word of 65,000 letters", `/flotilla ${"s".repeat(65_000)}`],
    ["quotes and lists that take turns", `${"> x\n- x\n".repeat(8_000)}\n/flotilla start`],
  ])("are read of %s ten times in less than a second of processor time", (_, body) => {
    const begun = process.cpuUsage();
    for (let time = 0; time < 10; time += 1) read(body);
    const { user, system } = process.cpuUsage(begun);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
