import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBubblewrap } from "../../src/adapters/sandbox/find-bubblewrap.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";

describe("flotilla demo --once", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-demo-test-"));
  let ran: Awaited<ReturnType<typeof runFlotilla>>;

  beforeAll(async () => {
    ran = await runFlotilla(["demo", "--once"], { cwd, env: { TMPDIR: cwd } });
  }, 360_000);
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  it("plays the story to its end", () => {
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  });

  it("shows what happens while it happens", () => {
    const timeline = ran.stdout.split("\n").filter((line) => /^ *\d+\.\d s {2}/.test(line));
    expect(timeline.length).toBeGreaterThan(20);
    const at = timeline.map((line) => Number.parseFloat(line));
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    for (const moment of [
      /#4 triage +is done: A duplicate of #2\./,
      /Flotilla writes on #4: Triage: this looks like a duplicate of #2 \(issue, open\)\./,
      /@mona closes #4/,
      /#1 feat-dev +starts work/,
      /#1 feat-dev +sleeps: waits for #2: The greeting itself is misspelt/,
      /@octocat merges #\d+, which closes #2/,
      /#1 feat-dev +wakes: the issue that it waited for is closed/,
      /#1 feat-dev +is done: /,
      /#3 docs-dev +needs a person: /,
      /@octocat comments on #3: MIT, please\./,
      /#3 docs-dev +continues: a person has answered/,
    ])
      expect(timeline.filter((line) => moment.test(line))).toHaveLength(1);
    const asleep = timeline.findIndex((line) => line.includes("sleeps: "));
    const merged = timeline.findIndex((line) => line.includes("@octocat merges"));
    expect(asleep, "told before the person acts on it, not at the end").toBeLessThan(merged);
  });

  it("ends with what came out: agents, pull requests and their diffs", () => {
    const end = ran.stdout.slice(ran.stdout.indexOf("\nAfter "));
    expect(end).toMatch(/#1 Add a farewell \(open\) {2}http:\/\/127\.0\.0\.1:\d+\/acme\/app\/issues\/1/);
    expect(end).toMatch(/feat-dev +COMPLETED, pull request #\d+/);
    expect(end).toMatch(/src\/farewell\.txt\n +@@ -0,0 \+1 @@\n +\+goodbye/);
    expect(end).toMatch(/-helo\n +\+hello/);
  });

  it("leaves nothing behind", () => {
    expect(readdirSync(cwd)).toEqual([]);
  });
});

const SCENARIO = `
title: an issue gets its label
repository: { name: app, files: { README.md: "# app" }, labels: [feature] }
people: { octocat: write }
model:
  conversations:
    - match: "You are triage"
      steps:
        - call: [{ tool: label, args: { name: feature } }]
        - call: [{ tool: report_complete, args: { summary: "Something new is wanted." } }]
    - match: "You are feat-dev"
      steps:
        - call: [{ tool: report_failed, args: { reason: "There is nothing to do.", category: other } }]
story:
  - open: { as: octocat, title: Greet, body: "Say hello." }
  - wait: { issue: 1, role: triage, state: COMPLETED }
`;

describeConfined("flotilla demo where /tmp is small", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-demo-test-"));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  it("starts agents, as in a container whose /tmp of 1 GiB is all that it can write", async () => {
    writeFileSync(join(cwd, "labelled.yaml"), SCENARIO);
    mkdirSync(join(cwd, "small"));
    const small = ["--size", String(2 ** 30), "--tmpfs", join(cwd, "small")];
    const bwrap = findBubblewrap(process.env["PATH"] ?? "") ?? "/usr/bin/bwrap";
    expect(
      await runFlotilla(["demo", "--once", "--scenario", "labelled.yaml"], {
        cwd,
        env: { TMPDIR: join(cwd, "small") },
        within: [bwrap, "--die-with-parent", "--dev-bind", "/", "/", ...small, "--"],
      }),
    ).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/ triage +COMPLETED/) });
  }, 360_000);
});
