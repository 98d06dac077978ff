import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { TriedCommand } from "../../../src/domain/commands/tried-command.ts";
import { proposalBody } from "../../../src/domain/onboarding/onboarding-body.ts";
import { proposedFile } from "../../../src/domain/onboarding/onboarding-file.ts";
import { afterTrial, type ProposalTrial } from "../../../src/domain/onboarding/trial.ts";
import { trialSection } from "../../../src/domain/onboarding/trial-section.ts";
import { reportOf } from "../../../src/domain/reporting/report.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aTriedCommand } from "../../factories/a-tried-command.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { someSettings } from "../../factories/some-settings.ts";

const settings = someSettings();
const PNPM = {
  command: "pnpm install",
  why: "pnpm-lock.yaml is there",
  network: ["registry.npmjs.org"],
  cache: ["pnpm"],
  registry: "npm",
} as const;
const GO = {
  command: "go mod download",
  why: "go.mod requires modules",
  network: ["proxy.golang.org"],
  cache: [],
  registry: "go",
} as const;
const PNPM_TEST = { command: "pnpm test", why: "package.json has a script test" };
const GO_TEST = { command: "go test ./...", why: "go.mod names a module" };
const SEEN = { setup: [PNPM, GO], run: [PNPM_TEST, GO_TEST], also: [] };

const acceptance = (command: string, more: Partial<TriedCommand> = {}) =>
  aTriedCommand(command, { kind: "acceptance", ...more });
const PREPARED = [aTriedCommand(PNPM.command, { durationMs: 65_000 }), aTriedCommand(GO.command)];
const tried = (...commands: readonly TriedCommand[]): ProposalTrial => ({ kind: "tried", commands });

const fileAfter = (trial: ProposalTrial, of: Settings = settings) =>
  proposedFile(of, afterTrial(of, SEEN, trial));
const sectionAfter = (trial: ProposalTrial, of: Settings = settings, seen = SEEN) =>
  trialSection({ settings: of, seen: afterTrial(of, seen, trial), repository: "acme/shop", trial });
function bodyAfter(trial: ProposalTrial) {
  const rows = { agents: [], usage: [], awake: [], ended: [], touches: [] };
  const facts = { seen: [], agents: [], rows, now: 0, file: { state: "none" } } as const;
  const report = reportOf(settings, aRepository(), facts);
  const seen = afterTrial(settings, SEEN, trial);
  return proposalBody({ settings, level: "pr", seen, trial, report, repository: "acme/shop" });
}

const ONE_FAILED = tried(
  ...PREPARED,
  acceptance("pnpm test"),
  acceptance("go test ./...", { exitCode: 1, output: "a_test.go:7: @alice broke #12\n" }),
);
const SETUP_FAILED = tried(
  aTriedCommand(PNPM.command),
  aTriedCommand(GO.command, { exitCode: 7, refusedHosts: ["proxy.golang.org"] }),
);
const FIRST_FAILED = tried(aTriedCommand(PNPM.command, { exitCode: null, timedOut: true }));
const WITH_OWN = {
  ...settings,
  setup: { ...settings.setup, commands: ["make deps"] },
  evidence: { ...settings.evidence, commands: ["make check"] },
};

describe("the proposed file after a trial", () => {
  it.each<[string, ProposalTrial]>([
    ["was skipped", { kind: "skipped" }],
    ["ran nothing", { kind: "hindered", why: "bubblewrap is not installed" }],
    ["succeeded", tried(...PREPARED, acceptance("pnpm test"), acceptance("go test ./..."))],
  ])("that %s sets all that was seen", (_, trial) => {
    expect(fileAfter(trial)).toBe(proposedFile(settings, SEEN));
  });

  it("leaves a command that failed as a comment, with how it ended", async () => {
    expect(parse(fileAfter(ONE_FAILED))).toMatchObject({
      setup: { commands: ["pnpm install", "go mod download"] },
      evidence: { commands: ["pnpm test"] },
    });
    await expect(fileAfter(ONE_FAILED)).toMatchFileSnapshot("../../fixtures/onboarding/tried.yml");
  });

  it("leaves a list as a comment of which nothing succeeded", () => {
    expect(parse(fileAfter(SETUP_FAILED))).toEqual({
      setup: {
        commands: ["pnpm install"],
        network: ["registry.npmjs.org", "proxy.golang.org"],
        cache: ["pnpm"],
      },
    });
    const text = fileAfter(FIRST_FAILED);
    expect(parse(text)).toBeNull();
    expect(text).toContain(
      "#     # When it was tried: failed (it was ended at its time limit).\n#     - pnpm install",
    );
    expect(text).toContain(
      "#     # When it was tried: not run, as the trial ended before it.\n#     - pnpm test",
    );
  });

  it("names a service that was not ready", () => {
    const notRun = { what: "the service `db` did not become ready", next: "Correct `services.db`" };
    const text = fileAfter(tried(...PREPARED, acceptance("pnpm test", { exitCode: null, notRun })));
    expect(text).toContain("# When it was tried: could not run.");
  });

  it("is not changed by how the operator's own commands ended", () => {
    const failed = tried(aTriedCommand("make deps", { exitCode: 2 }));
    expect(fileAfter(failed, WITH_OWN)).toBe(proposedFile(WITH_OWN, SEEN));
  });

  it("takes a result only for the command of its own text and kind", () => {
    const other = tried(...PREPARED, acceptance("pnpm test; rm -rf /"), aTriedCommand("pnpm test"));
    const text = fileAfter(other);
    expect(text).not.toContain("rm -rf");
    expect(parse(text)).not.toHaveProperty("evidence");
  });
});

describe("the text after a trial", () => {
  it("says of each command how it ended, and how to try again", async () => {
    await expect(sectionAfter(ONE_FAILED)).toMatchFileSnapshot("../../fixtures/onboarding/tried.md");
  });

  it("has nothing to add where all succeeded", () => {
    const text = sectionAfter(tried(...PREPARED, acceptance("pnpm test"), acceptance("go test ./...")));
    expect(text).toMatch(/\| 3 s \|\n\nThe operator can try again with [^\n]*$/);
  });

  it("is told between what follows and what starts", () => {
    const text = bodyAfter(ONE_FAILED);
    expect(text).toMatch(/### Until this is merged[^]*### What was tried[^]*### What starts which role/);
    expect(text).toContain("must then pass `pnpm test` (package.json has a script test) on a clean");
    expect(text).toContain("prepared first by `pnpm install` (pnpm-lock.yaml is there), `go mod download`");
  });

  it("promises no command that did not succeed", () => {
    const text = bodyAfter(FIRST_FAILED);
    expect(text).toContain("No acceptance command that was found here succeeded when it was tried");
    expect(text).toContain("No setup command that was found here succeeded when it was tried");
    expect(text).not.toContain("must then pass");
    expect(text).not.toContain("is prepared first by");
  });

  it("says what the proxy refused and who can permit it, and of what was not run that it was not", () => {
    const text = sectionAfter(SETUP_FAILED);
    expect(text).toContain("| `go mod download` | setup | failed (exit code 7) | 3 s |");
    expect(text).toContain("- Flotilla's proxy refused `proxy.golang.org`: the operator can add it");
    expect(text).toContain("**`go mod download`** failed. It printed nothing.");
    expect(text).toContain("| `pnpm test` | acceptance | not run, as the trial ended before it |  |");
  });

  it("names a program that is missing, a registry's reason and a service that was not ready", () => {
    const notRun = { what: "the service `db` did not become ready", next: "Correct `services.db`." };
    const text = sectionAfter(
      tried(
        ...PREPARED,
        acceptance("pnpm test", { exitCode: null, notRun }),
        acceptance("go test ./...", { exitCode: 127, output: "sh: 1: go: not found" }),
      ),
    );
    expect(text).toContain("| `pnpm test` | acceptance | could not run |  |");
    expect(text).toContain(
      "**`pnpm test`** was not run: the service `db` did not become ready. Correct `services.db`.",
    );
    expect(text).toContain("- Install go where Flotilla runs");
    const refused = sectionAfter(
      tried(aTriedCommand(PNPM.command, { exitCode: 1, refusals: ["The registry is away."] })),
    );
    expect(refused).toContain("- The registry is away.\n");
  });

  it("says in a sentence why nothing was tried, and nothing where there is no command", () => {
    expect(sectionAfter({ kind: "skipped" })).toBe(
      "Nothing: the operator had the commands proposed untried. The operator can try them with `flotilla check --repo acme/shop`.",
    );
    expect(sectionAfter({ kind: "hindered", why: "@alice is public,\nand agents run unconfined." })).toBe(
      "Nothing, so the commands are proposed as they are: `@alice` is public, and agents run unconfined. Once that is fixed, the operator can try them with `flotilla check --repo acme/shop`.",
    );
    expect(
      trialSection({ settings, seen: { setup: [], run: [], also: [] }, repository: "a/b", trial: tried() }),
    ).toBe(null);
  });

  it("says that the operator's commands stay in force, whatever came of them", () => {
    const text = sectionAfter(tried(aTriedCommand("make deps", { exitCode: 2 })), WITH_OWN);
    expect(text).toContain("| `make deps` | setup | failed (exit code 2) | 3 s |");
    expect(text).toContain("\n\nThe operator's own commands stay in force all the same.\n\n");
    const { evidence } = WITH_OWN;
    const both = sectionAfter(FIRST_FAILED, { ...settings, evidence });
    expect(both).toContain("remove the `#` before it. The operator's own commands stay in force");
  });

  it("shows of a hostile output what GitHub draws as code, and no more than its end", () => {
    const hostile = "```\n</details>\n@alice closes #1 <!-- flotilla:x -->\u001b[31m\u202e\n````\n";
    const failing = SEEN.run.map(({ command }) =>
      acceptance(command, { exitCode: 1, output: "x".repeat(90_000) + hostile }),
    );
    const text = sectionAfter(tried(...PREPARED, ...failing)) ?? "";
    expect(text.length).toBeLessThan(8_000);
    const [, block = "", after = ""] = text.split(/^`{5}$/m);
    expect(block).toContain("@alice closes #1");
    expect(block).not.toMatch(/<!-- flotilla|\p{Cf}|(?!\n)\p{Cc}/u);
    expect(after.trimStart()).toMatch(/^<\/details>/);
    expect(text.replaceAll(/^(`{5})$[^]*?^\1$/gm, "")).not.toMatch(/@alice|#1|closes/);
  });

  it("keeps to a length that GitHub takes, however many commands fail", () => {
    const many = Array.from({ length: 40 }, (_, at) => `make check-${at}`);
    const of = { ...settings, evidence: { ...settings.evidence, commands: many } };
    const hosts = Array.from({ length: 99 }, (_, at) => `host-${at}.example`);
    const failing = many.map((command) =>
      acceptance(command, { exitCode: 1, output: "y".repeat(5000), refusedHosts: hosts }),
    );
    const text = sectionAfter(tried(...failing), of) ?? "";
    expect(text.length).toBeLessThan(30_000);
    expect(text).toContain("- and 96 more were refused");
    expect(text).toContain("Of 32 more that failed, the output is not shown.");
  });
});
