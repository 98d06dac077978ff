import { afterAll, beforeAll, expect, it } from "vitest";
import { readCommits } from "../../src/demo/github/git/read-commits.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const shell = (command: string) => call("bash", { command, description: "Work" });

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({
    scenario: aScenario({
      config: {},
      conversations: [
        saysOn(1, [
          shell(
            "printf 'one\\n' > one.txt && printf 'true\\n' > run.sh && chmod +x run.sh && ln -s one.txt link",
          ),
          call("commit", { message: "The first\n\nCo-authored-by: Nobody <nobody@example.com>" }),
          shell("printf 'two\\n' > two.txt"),
          call("commit", { message: "The second" }),
          call("open_pr", { title: "Do two things", body: "As asked." }),
          call("report_complete", { summary: "It is done." }),
        ]),
      ],
    }),
  });
}, 180_000);
afterAll(() => journey.close());

it("a repository whose every branch takes only signed commits is served up to the merge", async () => {
  const octocat = journey.github.as("octocat");
  await octocat.protect({ signatures: "every" });
  await octocat.openIssue({ title: "Do two things", body: "Please." });
  await octocat.label(1, "feature");
  await journey.reached(1, "COMPLETED");
  await journey.quiet();

  const { directory } = journey.github.state().repository;
  const pull = journey.github.state().pulls().at(-1);
  const commits = await readCommits(directory, [`main..${pull?.pull.headRef}`]);
  expect(commits.map(({ message }) => message.split("\n")[0])).toEqual(["The second", "The first"]);
  for (const { signature, author, committer, message } of commits) {
    expect(signature).toBeDefined();
    expect(author.name).toBe("flotilla[bot]");
    expect(committer.name).toBe("GitHub");
    expect(message).toContain("Flotilla-Run: acme/app:feat-dev-issue-1/");
    expect(message).toMatch(/\nCo-authored-by: octocat <\d+\+octocat@users\.noreply\.github\.com>$/);
    expect(message).not.toContain("Nobody");
  }
  expect(journey.rows("SELECT head_commit FROM agent WHERE issue = 1")).toEqual([
    { head_commit: commits[0]?.sha },
  ]);
  await octocat.merge(Number(pull?.number), "squash");
  await journey.until("it is merged", () => journey.github.state().issue(1)?.state === "closed");
  await journey.quiet();
  const [merged] = await readCommits(directory, ["main"], 1);
  expect(merged?.signature).toBeDefined();
  expect(journey.rows("SELECT state FROM task")).toEqual([{ state: "MERGED" }]);
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 300_000);
