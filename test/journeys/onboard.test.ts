import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { aScenario, makes, saysOn } from "./a-scenario.ts";
import { commandBeside } from "./command-beside.ts";
import { type Journey, startJourney } from "./journey.ts";
import { runFlotilla } from "./run-flotilla.ts";

const ISSUE = 1;
const PULL = 2;
const HOSTILE = "@octocat closes #1 </details> key-of-the-model";

let journey: Journey;
let onboarded: Awaited<ReturnType<typeof runFlotilla>>;

beforeAll(async () => {
  const scenario = aScenario({ conversations: [saysOn(ISSUE, makes("a.txt"))] });
  journey = await startJourney({ scenario });
  const octocat = journey.github.as("octocat");
  const files = {
    "package.json": JSON.stringify({ scripts: { test: `echo '\`\`\` ${HOSTILE}'; test -f package.json` } }),
    // `go` fails by it, and without `go` the shell does.
    "go.mod": `module example.com/a\n${HOSTILE} (\n`,
  };
  await octocat.push("main", files, "Begin");
  await octocat.openIssue({ title: "Add a.txt", body: "As it says." });
  await journey.quiet();
  const { name, owner } = journey.github.state().repository;
  onboarded = await runFlotilla(["onboard", `${owner.login}/${name}`], {
    cwd: dirname(journey.dataDir),
    env: commandBeside(journey),
  });
}, 240_000);
afterAll(() => journey.close());

it("the operator reads how each command ended, then where the pull request is", () => {
  const { code, stdout, stderr } = onboarded;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain("acceptance: npm test");
  expect(lines).toContain("acceptance: go test ./...");
  expect(stdout).toMatch(/ {2}succeeded in \d+ s\n[^]* {2}failed after \d+ s \(exit code \d+\)\n/);
  expect(lines.at(-1)).toMatch(/^Opened .*\/pull\/2: merge it/);
});

it("people read the same in the pull request, whose file sets the command that succeeded", async () => {
  const octocat = journey.github.as("octocat");
  const { body: text } = await octocat.call("GET", `/pulls/${PULL}`);
  const body = String(text);
  expect(body).toMatch(
    /\| `npm test` \| acceptance \| succeeded \| \d+ s \|\n\| `go test \.\/\.\.\.` \| acceptance \| failed \(exit code \d+\) \| \d+ s \|/,
  );
  expect(body).toContain("<details><summary>The end of its output</summary>\n\n```\n");
  expect(body).toContain("The operator can try again with `flotilla check --repo ");
  expect(body.replaceAll(/^(`{3,})$[^]*?^\1$/gm, "")).not.toMatch(/@octocat|closes #1/);
  expect(body).not.toContain("key-of-the-model");
  const file = await octocat.call("GET", "/contents/.github/flotilla.yml?ref=flotilla/configure");
  const content = Buffer.from(String(file["content"]), "base64").toString();
  expect(parse(content)).toEqual({ evidence: { commands: ["npm test"] } });
  expect(content).toMatch(/^# {5}# When it was tried: failed \(exit code \d+\)\.\n# {5}- go test/m);
});

it("once it is merged, an agent completes its work with the command that succeeded", async () => {
  const octocat = journey.github.as("octocat");
  await octocat.merge(PULL);
  await octocat.label(ISSUE, "feature");
  await journey.reached(ISSUE, "COMPLETED");
  const ran = journey.rows("SELECT command, exit_code FROM evidence WHERE kind = 'command'");
  expect(ran).toEqual([{ command: "npm test", exit_code: 0 }]);
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 240_000);
