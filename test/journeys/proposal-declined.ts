import { expect } from "vitest";
import { control } from "../../src/cli/control-client.ts";
import type { Journey } from "./journey.ts";

/**
 * Has the operator propose the file to a repository with two features; its people read the pull request, comment on it
 * and close it.
 */
export async function proposalDeclined(journey: Journey): Promise<void> {
  const { name, owner } = journey.github.state().repository;
  const repository = `${owner.login}/${name}`;
  const octocat = journey.github.as("octocat");
  await octocat.push("main", { "go.mod": "module example.com/app\n" }, "Begin");
  const request = { repository, again: false, by: "operator:root", trial: { kind: "skipped" } };
  const ask = () => control(journey.dataDir, "/onboard", request);
  const { status, body } = await ask();
  expect({ status, body }).toMatchObject({ status: 200, body: { state: "opened" } });
  expect((await ask()).body).toEqual({ ...Object(body), state: "open" });
  const pull = Number(Object(body).pull);
  expect(await octocat.call("GET", `/pulls/${pull}`)).toMatchObject({
    title: "Configure Flotilla",
    commits: 1,
    changed_files: 1,
    head: { ref: "flotilla/configure" },
    user: { login: journey.github.app.bot.login },
    body: expect.stringMatching(/must then pass `go test [^]*`feat-dev` on 2/),
  });
  const page = await (await fetch(`${journey.github.origin}/${repository}/pull/${pull}`)).text();
  expect(page).toContain("What it would have done on the last 2 issues");
  const file = await octocat.call("GET", "/contents/.github/flotilla.yml?ref=flotilla/configure");
  expect(Buffer.from(String(file["content"]), "base64").toString()).toContain("    - go test ./... #");
  await octocat.comment(pull, "/flotilla start feat-dev");
  await octocat.closePull(pull);
  await journey.until("it is known that they do not want it", () =>
    journey.rows("SELECT 1 FROM decision WHERE rule = 'file_declined'").at(0),
  );
  expect(await ask()).toMatchObject({ status: 409, body: { error: { code: "not_proposed" } } });
}
