import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { CANARY, type Canary, layCanary } from "../races/canary.ts";
import { IN_PERL } from "../races/exchange-source.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { filesHolding } from "./files-holding.ts";
import { type Journey, startJourney } from "./journey.ts";

const ISSUE = 1;
const TRIES = 12;
const outside = mkdtempSync(join(tmpdir(), "flotilla-raced-"));
const away = join(outside, "host");

const bash = (...lines: readonly string[]) =>
  call("bash", { command: lines.join("\n"), description: "Work" });
const times = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));

/** Builds several calls in one message of the model. */
const many = (count: number, one: (at: number) => { tool: string; args: Record<string, unknown> }) => ({
  call: times(count, one),
});

/**
 * Restores one path, spelled differently in each call of a message. After six identical failures of the same call the
 * agent would be interrupted for lack of progress, and whether six in a row fail depends on the race.
 */
const restores = (path: string) =>
  many(TRIES, (at) => ({ tool: "restore_files", args: { paths: [`${"./".repeat(at)}${path}`] } }));

const PREPARE = bash(
  "mkdir -p rc d .swap && echo '*' > .swap/.gitignore",
  "for n in $(seq 40); do echo mine > rc/.rc$n; done; echo kept > rc/keep",
);

/**
 * Replaces files and directories by links that lead outside, directly or through an ignored link, until the agent ends.
 */
const RACE = bash(
  `echo ${Buffer.from(IN_PERL).toString("base64")} | base64 -d > .swap/racer.pl`,
  `ln -s ${away} .swap/d; ln -s .swap/d/file.txt .swap/l; ln -s ${away}/kept .swap/rc; ln -s ${away} .swap/dir`,
  `printf '%s\\n' '${"x".repeat(CANARY.length)}' > note.txt`,
  `(sleep 1000 | perl .swap/racer.pl .swap/count -f note.txt .swap/l .swap/d/file.txt -d rc .swap/rc ${away}/kept -d d .swap/dir ${away} > .swap/out 2>&1 &)`,
  "(while mkfifo d/file.txt d/pipe 2>/dev/null; rm -f rc/.rc*; mkdir -p d/kept 2>/dev/null; do sleep 0.01; done >/dev/null 2>&1 &)",
  // git replaces the link that it meets, and a pair of directories attacks nothing.
  `(while sleep 0.01; do [ -L rc ] || [ -L .swap/rc ] || { rm -rf .swap/rc; ln -s ${away}/kept .swap/rc; }; done >/dev/null 2>&1 &)`,
  "until grep -q running .swap/out; do sleep 0.1; done; echo racing",
);

const SCENARIO = aScenario({
  conversations: [
    saysOn(ISSUE, [
      PREPARE,
      call("commit", { message: "Add rc" }),
      RACE,
      ...times(3, () => restores("rc")),
      ...times(3, () => restores("d/kept")),
      // All in one message, because a commit with a link that leads outside is held for a person, and the agent then
      // sleeps at the end of the turn.
      many(TRIES, (at) => ({ tool: "commit", args: { message: `Try ${at}` } })),
      call("escalate_to_human", { reason: "Done.", category: "decision", question: null }),
    ]),
  ],
});

describeConfined("an agent whose shell exchanges files for links while the host works for it", () => {
  let journey: Journey;
  let canary: Canary;

  beforeAll(async () => {
    mkdirSync(away);
    canary = await layCanary(away);
    journey = await startJourney({ scenario: SCENARIO, confined: true });
    const octocat = journey.github.as("octocat");
    await octocat.openIssue({ title: "Race", body: "", labels: ["feature"] });
    await journey.until("it has tried everything", () => {
      const [agent] = journey.rows("SELECT state FROM agent");
      return agent !== undefined && !["CREATED", "ACTIVE"].includes(String(agent["state"]));
    });
    await journey.quiet();
  }, 240_000);
  afterAll(async () => {
    await journey.close();
    rmSync(outside, { recursive: true });
  });

  it("gets answers to its calls, and reaches nothing of the host with them", async () => {
    const calls = (tool: string) => journey.rows("SELECT id FROM tool_call WHERE tool = ?", tool).length;
    expect(calls("commit")).toBeGreaterThan(TRIES);
    expect(calls("restore_files")).toBeGreaterThanOrEqual(6 * TRIES);
    // Both occurred: the directory, and the link in its place.
    const statuses = journey.rows(
      "SELECT DISTINCT status FROM tool_call WHERE tool = 'restore_files' ORDER BY status",
    );
    expect(statuses).toEqual([{ status: "failure" }, { status: "success" }]);
    expect(
      journey.rows("SELECT tool, status FROM tool_call WHERE status IN ('running', 'interrupted')"),
    ).toEqual([]);
    expect(await canary.touched()).toEqual([]);
    const mirrors = journey
      .rows("SELECT repository_id FROM agent")
      .map((row) => join(journey.dataDir, "mirrors", `${row["repository_id"]}.git`));
    for (const git of [...mirrors, journey.github.state().repository.directory]) {
      const objects = execFileSync("git", ["--git-dir", git, "cat-file", "--batch-all-objects", "--batch"], {
        maxBuffer: 2 ** 28,
      });
      expect(objects.includes(CANARY)).toBe(false);
    }
    expect(filesHolding(join(journey.dataDir, "git"), [CANARY])).toEqual([]);
  });
});
