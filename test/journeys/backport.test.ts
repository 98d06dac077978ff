import { afterAll, beforeAll, expect, it } from "vitest";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

/** Issues and pull requests are numbered in the order of the story. */
const [CLEAN, CONFLICTING, REBASED] = [1, 2, 3];
const [CLEAN_PORT, CONFLICTING_PORT, REBASED_PORT] = [7, 9, 11];
const STORIES = [
  [CLEAN, CLEAN_PORT, "merge"],
  [CONFLICTING, CONFLICTING_PORT, "squash"],
  [REBASED, REBASED_PORT, "rebase"],
] as const;
const RELEASE = "release-1";

const shell = (command: string) => call("bash", { command, description: "Work" });
const proposes = [
  call("commit", { message: "Bring it over" }),
  call("open_pr", { title: "Bring it over", body: "As asked." }),
  call("report_complete", { summary: "It is brought over." }),
];

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({
    scenario: aScenario({
      config: { bases: ["release-*"] },
      conversations: [
        saysOn(CLEAN, makes("fix.md")),
        saysOn(CONFLICTING, [shell("printf 'one\\nmended\\n' > list.txt"), ...proposes]),
        saysOn(REBASED, [
          shell("printf 'first\\n' > first.txt"),
          call("commit", { message: "The first of two" }),
          shell("printf 'second\\n' > second.txt"),
          ...proposes,
        ]),
        saysOn(CLEAN_PORT, [shell("cat fix.md"), ...proposes]),
        saysOn(REBASED_PORT, [shell("cat first.txt second.txt"), ...proposes]),
        saysOn(CONFLICTING_PORT, [
          shell("cat list.txt"),
          shell("printf 'old\\nmended\\n' > list.txt"),
          ...proposes,
        ]),
      ],
    }),
  });
}, 180_000);
afterAll(() => journey.close());

/** People merge the work on the issue. Returns the number of its pull request. */
async function mergedWork(issue: number, method: "merge" | "squash" | "rebase"): Promise<number> {
  await journey.reached(issue, "COMPLETED");
  await journey.quiet();
  const pull = journey.github.state().pulls().at(-1);
  await journey.github.as("octocat").merge(Number(pull?.number), method);
  await journey.until(`#${issue} is closed`, () => journey.github.state().issue(issue)?.state === "closed");
  await journey.quiet();
  return Number(pull?.number);
}

const saidOn = (issue: number) =>
  journey.github
    .state()
    .comments(issue)
    .map(({ body }) => body)
    .join("\n");

it("merged work is brought to a release by an agent that begins with the change, settles what does not fit, and whose issue the host closes", async () => {
  const octocat = journey.github.as("octocat");
  await octocat.push("main", { "list.txt": "one\ntwo\n" }, "A list");
  await octocat.push(RELEASE, { "list.txt": "old\ntwo and more\n" }, "Release 1");
  for (const title of ["Fix it", "Mend the list", "Do two things"])
    await octocat.openIssue({ title, body: "Please." });
  for (const [issue, , method] of STORIES) {
    await octocat.label(issue, "feature");
    await mergedWork(issue, method);
  }

  for (const [issue, port] of STORIES) {
    await octocat.comment(issue, `/flotilla backport ${RELEASE}`);
    await journey.until("the agent of the backport", () =>
      journey.rows("SELECT 1 FROM agent WHERE issue = ?", port).at(0),
    );
    const pull = await mergedWork(port, "merge");
    expect(saidOn(issue)).toContain(`#${port} brings this work to \`${RELEASE}\`.`);
    const { pulls } = journey.github.state();
    expect(pulls().find(({ number }) => number === pull)?.pull.baseRef).toBe(RELEASE);
  }

  const read = journey.model.requests.map(({ messages }) => JSON.stringify(messages));
  const readOn = (issue: number) => read.filter((text) => text.includes(`Work on issue #${issue} of`)).at(-1);
  expect(readOn(CLEAN_PORT)).toMatch(/began with the change of the merged work, from [0-9a-f]{40} to /);
  expect(readOn(CLEAN_PORT)).toContain("made");
  expect(readOn(CONFLICTING_PORT)).toMatch(/<{7}.*two and more.*={7}.*mended.*>{7}/);
  expect(readOn(REBASED_PORT)).toContain("first\\nsecond");
  expect(journey.rows("SELECT issue, state, base FROM task ORDER BY issue")).toEqual(
    [
      [CLEAN, null],
      [CONFLICTING, null],
      [REBASED, null],
      [CLEAN_PORT, RELEASE],
      [CONFLICTING_PORT, RELEASE],
      [REBASED_PORT, RELEASE],
    ].map(([issue, base]) => ({ issue, state: "MERGED", base })),
  );
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 300_000);
