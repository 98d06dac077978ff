import { describe, expect, test } from "vitest";
import { type TriedCommand, triedFault } from "../../../src/domain/commands/tried-command.ts";

const tried = (output: string, more: Partial<TriedCommand> = {}) =>
  triedFault({
    kind: "acceptance",
    command: "make test",
    exitCode: 1,
    timedOut: false,
    durationMs: 1000,
    output,
    refusedHosts: [],
    refusals: [],
    ...more,
  });

describe("a command that was tried once", () => {
  test("and worked is no news", () => {
    expect(tried("sh: 1: cargo: not found", { exitCode: 0 })).toBeNull();
  });

  test.each([
    ["/bin/sh: 1: cargo: not found\n", "cargo"],
    ["> build\n> tsc -p .\n\nsh: 1: tsc: not found\n", "tsc"],
    ["bash: line 1: g++: command not found", "g++"],
    ["/usr/bin/env: ‘python3.12’: No such file or directory", "python3.12"],
    ["make: go: No such file or directory\nmake: *** [Makefile:2: test] Error 127", "go"],
    ["make[1]: go: No such file or directory", "go"],
  ])("%j lacks %s, and where that belongs is said", (output, program) => {
    expect(tried(output, { exitCode: 127 })).toEqual({
      what: `the acceptance command \`make test\` does not find ${program}`,
      next: expect.stringMatching(
        new RegExp(`^Install ${program.replaceAll("+", "\\+")} where Flotilla runs`),
      ),
    });
  });

  test.each([
    "npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org",
    "curl: (6) Could not resolve host: registry.npmjs.org",
    "Failed to resolve 'registry.npmjs.org' ([Errno -3] Temporary failure in name resolution)",
    "dial tcp: lookup registry.npmjs.org on 127.0.0.1:53: connection refused",
  ])("%j lacks a host", (output) => {
    expect(tried(output, { kind: "setup", command: "npm ci" })).toEqual({
      what: "the setup command `npm ci` asks for registry.npmjs.org, which it may not reach",
      next: "Add registry.npmjs.org to setup.network",
    });
  });

  test("that the proxy refused a host lacks that one, and an acceptance command had better not ask for it", () => {
    expect(tried("HTTP 403 from proxy", { refusedHosts: ["pypi.org"] })).toEqual({
      what: "the acceptance command `make test` asks for pypi.org, which it may not reach",
      next: expect.stringContaining("Have setup.commands fetch it, or open pypi.org"),
    });
  });

  test("that a registry gave nothing says why, and what the operator can do", () => {
    const why =
      "The registry `https://npm.example.com/` refuses Flotilla's token (401): the operator has to act.";
    expect(tried("E403", { kind: "setup", refusals: [why] })).toEqual({
      what: "the setup command `make test` did not get what it may reach",
      next: why.slice(0, -1),
    });
  });

  test("that fails otherwise is told with how it ended and its last words", () => {
    expect(tried("1 test\n  1 failed\n\n")).toEqual({
      what: "the acceptance command `make test` fails on the default branch (exit code 1); it ended with: 1 failed",
      next: expect.stringContaining("fix the command or the branch"),
    });
    expect(tried("", { exitCode: null, timedOut: true })).toEqual({
      what: "the acceptance command `make test` fails on the default branch (it was ended at its time limit)",
      next: "Raise evidence.timeout, or have it do less",
    });
    expect(tried("x".repeat(500))?.what.length).toBeLessThan(320);
  });
});
