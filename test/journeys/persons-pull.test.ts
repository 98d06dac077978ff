import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const ROLES = {
  "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
  reviewer: {
    prompt: "reviewer.md",
    lifecycle: "ephemeral",
    checkout: "head",
    evidence: "verdict",
    triggers: [{ event: "task.ready_for_review" }],
  },
};
/** The first two issues of the repository. */
const OURS = 1;
const FORKS = 2;

const LOOKS = "grep -n . greeting.md";
const judges = (verdict: object) => [
  call("bash", { command: LOOKS, description: "Look" }),
  call("submit_verdict", { commit: "{{commit}}", evidence: [LOOKS], ...verdict }),
];
const mends = [
  call("bash", { command: "printf 'hello\\n' > greeting.md", description: "Spell it right" }),
  call("commit", { message: "Spell the greeting right" }),
  call("report_complete", { summary: "The greeting is spelt right." }),
];

const SCENARIO = aScenario({
  config: { roles: ROLES, evidence: { commands: ["grep -q hello greeting.md"] } },
  conversations: [
    {
      match: `Review commit .*#${OURS} of.*is it right now`,
      steps: judges({ verdict: "approve", body: "It greets." }),
    },
    {
      match: "Review commit ",
      steps: judges({
        verdict: "reject",
        body: "The greeting is misspelt.",
        comments: [{ path: "greeting.md", line: 1, body: "It says helo: an l is missing." }],
      }),
    },
    { match: `Work on pull request #${OURS} of`, steps: mends },
    { match: `Work on pull request #${FORKS} of`, steps: mends },
  ],
});

/** Returns the greeting after somebody has saved the patch and run what the comment says. */
async function applied(patch: string, greeting: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "flotilla-patch-"));
  try {
    await writeFile(join(directory, "greeting.md"), greeting);
    await writeFile(join(directory, "flotilla.patch"), patch);
    await promisify(execFile)("git", ["apply", "flotilla.patch"], { cwd: directory });
    return await readFile(join(directory, "greeting.md"), "utf8");
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe("a person's pull request", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
  }, 180_000);
  afterAll(() => journey.close());

  const octocat = () => journey.github.as("octocat");
  const pull = (number: number) => journey.github.state().pull(number);
  const bodies = (number: number) =>
    journey.github
      .state()
      .comments(number)
      .map(({ body }) => body);
  const ended = (number: number, role: string, count = 1) =>
    journey.until(`${count} ${role} on #${number} ended`, () => {
      const rows = journey.rows(
        "SELECT state FROM agent WHERE issue = ? AND role = ? AND state = 'COMPLETED'",
        number,
        role,
      );
      return rows.length === count;
    });
  const branches = async () => {
    const refs = Object.values(await octocat().call("GET", "/branches"));
    return JSON.stringify(refs);
  };

  it("is reviewed, mended on its own branch, and reviewed again, and stays a person's to merge", async () => {
    await octocat().push("greet", { "greeting.md": "helo\n" }, "Greet");
    expect(await octocat().openPull({ title: "Greet", head: "greet", body: "It greets." })).toBe(OURS);
    await octocat().comment(OURS, "/flotilla review");
    await ended(OURS, "reviewer");
    await journey.quiet();
    const [rejection] = pull(OURS).pull.reviews;
    expect(rejection).toMatchObject({ state: "COMMENTED", commitId: pull(OURS).pull.headSha });
    expect(rejection?.body).toContain("**reviewer asks for changes** in");
    expect(rejection?.body).toContain("This does not count as an approval");
    expect(pull(OURS).pull.reviewComments).toMatchObject([{ path: "greeting.md", line: 1 }]);

    const before = pull(OURS).pull.headSha;
    await octocat().comment(OURS, "/flotilla fix the spelling");
    await ended(OURS, "feat-dev");
    await journey.quiet();
    const after = pull(OURS).pull.headSha;
    expect(after).not.toBe(before);
    expect(pull(OURS)).toMatchObject({ state: "open", body: "It greets.", pull: { mergedAt: null } });
    expect(await branches()).not.toContain("flotilla/");

    await octocat().comment(OURS, "/flotilla review is it right now");
    await ended(OURS, "reviewer", 2);
    await journey.quiet();
    expect(pull(OURS).pull.reviews.at(-1)).toMatchObject({ state: "COMMENTED", commitId: after });
    expect(bodies(OURS).find((body) => body.startsWith("### Flotilla"))).toContain(
      "**reviewer found nothing that must change in",
    );
  });

  it("from a fork is reviewed at its own head, and gets a patch that applies", async () => {
    const mona = journey.github.as("mona");
    const number = await mona.openForksPull({
      title: "Greet, too",
      body: "It greets.",
      branch: "greet",
      files: { "greeting.md": "helo\n" },
    });
    expect(number).toBe(FORKS);
    await mona.comment(FORKS, "/flotilla review");
    await octocat().comment(FORKS, "/flotilla review");
    await ended(FORKS, "reviewer");
    await octocat().comment(FORKS, "/flotilla fix");
    await ended(FORKS, "feat-dev");
    await journey.quiet();
    const head = pull(FORKS).pull.headSha;
    expect(pull(FORKS).pull.reviews).toMatchObject([{ state: "COMMENTED", commitId: head }]);
    const offer = bodies(FORKS).find((body) => body.includes("git apply"));
    const patch = /```diff\n([^]*?\n)```/.exec(offer ?? "")?.[1] ?? "";
    expect(await applied(patch, "helo\n")).toBe("hello\n");
    expect(await branches()).not.toContain("flotilla/");
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
