import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { probeSandbox } from "../../../src/adapters/sandbox/probe.ts";
import { PROBE_CHECKS } from "../../../src/adapters/sandbox/probe-checks.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { describeConfined } from "./bubblewrap-here.ts";
import { bubblewrapThat, CONFINES_NOTHING, MAY_NOT } from "./false-bubblewrap.ts";

const probe = (directory: string, hidden: readonly string[] = [homedir()]) =>
  probeSandbox({ clock: realClock, bwrap: join(directory, "bwrap"), hidden });

/** A directory of the host with a file in it. */
function hiddenDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-hidden-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, ".env"), "WEBHOOK_SECRET=x");
  return directory;
}

describeConfined("the probe of the sandbox", () => {
  test("finds nothing wrong with bubblewrap", async () => {
    const bwrap = findBubblewrap("") ?? "";
    expect(await probeSandbox({ clock: realClock, bwrap, hidden: [homedir(), hiddenDirectory()] })).toEqual(
      [],
    );
  });
});

test("what confines nothing fails what it can fail here, and each finding says what to do", async () => {
  const findings = await probe(bubblewrapThat(CONFINES_NOTHING), [hiddenDirectory()]);
  const text = findings.map(({ what }) => what).join("; ");
  for (const wrong of [
    "it has a network",
    "it sees files of the host that nobody gave it",
    "it sees the host's home or data directory",
    "it sees the host's system files",
    "it sees processes of the host",
    "git's data can be written",
    "a program could give it more rights",
  ])
    expect(text).toContain(wrong);
  expect(findings.length).toBeLessThanOrEqual(PROBE_CHECKS.length);
  for (const { next } of findings) expect(next).toContain("sandbox: { mode: none }");
});

test("a system that allows no namespaces is told with bubblewrap's own words", async () => {
  expect(await probe(bubblewrapThat(MAY_NOT))).toEqual([
    {
      about: "sandbox",
      what: expect.stringContaining("did not start: bwrap: No permissions"),
      next: expect.stringContaining("--security-opt seccomp=config/deploy/seccomp.json"),
    },
  ]);
});
