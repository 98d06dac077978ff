import { afterEach, beforeEach, expect, test } from "vitest";
import { diagnose } from "../../src/commands/diagnose.ts";
import { GitHubError } from "../../src/core/errors.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { aRepository } from "../factories/an-occurrence.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeGitHub } from "../fakes/github.ts";
import { insertAgent } from "../store/samples.ts";

let store: OpenStore;
const github = () => createFakeGitHub({ clock: createFakeClock(0), labels: {} });

beforeEach(async () => {
  store = await openStore({ path: ":memory:" });
});
afterEach(() => store.close());

test("nothing is found where nothing is wrong", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  expect(await diagnose(store, gitHub, 0)).toEqual([]);
});

test("what a repository asks for that agents cannot do is said with what follows, each by the repository's name", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository()).limits = { signatures: true, lfs: false, submodules: false };
  expect(await diagnose(store, gitHub, 0)).toMatchObject([
    {
      about: "acme/shop",
      what: expect.stringContaining("signed commits"),
      next: expect.stringContaining("exempt"),
    },
  ]);
});

test("a broken rule is named with its rows, and an App that GitHub refuses ends the questions", async () => {
  const gitHub = github();
  const agent = await insertAgent(store, { state: "ACTIVE" });
  await store.repositories.put(aRepository());
  gitHub.failNext(
    "identity",
    new GitHubError("unauthorized", "401", 401, { consequence: "stop", advice: "check APP_ID" }),
    "before",
  );
  const found = await diagnose(store, gitHub, 0);
  expect(found.map(({ about }) => about)).toContain("database");
  expect(found[0]?.what).toContain(`agent ${agent.id}`);
  expect(found.at(-1)).toEqual({ about: "GitHub", what: "401", next: "check APP_ID" });
});

test("a repository that cannot be asked is a finding of its own", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  gitHub.failNext(
    "repositoryLimits",
    new GitHubError("unavailable", "502", 502, { consequence: "retry" }),
    "before",
  );
  expect(await diagnose(store, gitHub, 0)).toEqual([
    { about: "acme/shop", what: "502", next: "try again later" },
  ]);
});
