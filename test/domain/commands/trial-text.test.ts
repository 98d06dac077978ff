import { expect, test } from "vitest";
import { triedLines } from "../../../src/domain/commands/trial-text.ts";
import type { TriedCommand } from "../../../src/domain/commands/tried-command.ts";
import { someSettings } from "../../factories/some-settings.ts";

const lines = (more: Partial<TriedCommand>) => {
  const tried = { kind: "setup", command: "npm ci", exitCode: 1, timedOut: false, durationMs: 3000 } as const;
  return triedLines({ ...tried, output: "", refusedHosts: [], refusals: [], ...more }, someSettings().setup);
};

test("a command that worked is told with its time alone", () => {
  expect(lines({ exitCode: 0, output: "added 3 packages" })).toEqual(["  succeeded in 3 s"]);
});

test("a command that failed is told with what was refused, the end of its output and what to do", () => {
  const output = `${Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n")}\n`;
  const told = lines({ output, refusedHosts: ["registry.npmjs.org"], refusals: ["The registry is away."] });
  expect(told.slice(0, 4)).toEqual([
    "  failed after 3 s (exit code 1)",
    expect.stringMatching(/^ {2}Flotilla's proxy refused `registry\.npmjs\.org`: the operator can add it/),
    "  The registry is away.",
    "  The end of its output:",
  ]);
  expect(told.slice(4, -1)).toEqual(
    output
      .trimEnd()
      .split("\n")
      .slice(10)
      .map((line) => `    ${line}`),
  );
  expect(told.at(-1)).toBe("  The registry is away.");
});

test("an acceptance command that asks for a host is told what it may reach", () => {
  const told = lines({ kind: "acceptance", refusedHosts: ["example.com"] });
  expect(told[1]).toContain("acceptance commands reach only what agents reach");
  expect(told).toContain("  It printed nothing.");
  expect(lines({ timedOut: true })[0]).toContain("it was ended at its time limit");
});

test("an acceptance command whose service was not ready is told as not run", () => {
  const notRun = { what: "the service `db` did not become ready", next: "Correct `services.db`" };
  expect(lines({ kind: "acceptance", exitCode: null, notRun })).toEqual([
    "  was not run: the service `db` did not become ready",
    "  Correct `services.db`.",
  ]);
});
