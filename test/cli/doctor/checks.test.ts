import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import type { DoctorGitHub } from "../../../src/cli/doctor/check.ts";
import { readManifest } from "../../../src/cli/doctor/check-app.ts";
import { screensFindings } from "../../../src/cli/doctor/check-screens.ts";
import { look } from "../../../src/cli/doctor/checks.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import type { AppSettings, GitHubWait } from "../../../src/domain/ports/github-app.ts";
import { ALL_ROLES, type NodeRoles } from "../../../src/domain/recovery/node-roles.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { aRepositoryFile, NO_OVERRIDE } from "../../factories/a-repository-file.ts";
import { aRole } from "../../factories/a-role.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeGitHub } from "../../fakes/github.ts";

let store: OpenStore;
/** As `flotilla init` makes the App from app.yml. */
const settings: AppSettings = {
  permissions: readManifest().default_permissions,
  events: readManifest().default_events,
  hook: {
    url: "https://flotilla.example.com/api/github/webhooks",
    hasSecret: true,
    contentType: "json",
    verifiesTls: true,
    latest: [],
  },
  installations: [
    {
      account: "acme",
      suspended: false,
      installedAt: -1e12,
      permissions: readManifest().default_permissions,
      events: readManifest().default_events,
    },
  ],
};
const github = () =>
  Object.assign(createFakeGitHub({ clock: createFakeClock(0), labels: {} }), {
    appSettings: async () => settings,
    limitWaits: (): readonly GitHubWait[] => [],
    isInstalled: async () => true,
    installedAt: async () => null,
    missingLabels: async (): Promise<readonly string[]> => [],
  });

const config = {
  ...someSettings({
    repositories: ["*/*"],
    roles: rolesOf(aRole({ triggers: [{ event: "issues.labeled", label: "wish" }] })),
  }),
  // No address is listened on.
  environment: { host: "127.0.0.1", port: 0 },
  secrets: { provider: undefined, providers: new Map(), collector: undefined, registries: [] },
};

const findings = (gitHub: DoctorGitHub, given = config, roles: NodeRoles = ALL_ROLES) =>
  look(
    { config: given, dataDir: "/nowhere", damage: [], hasStore: true, store, github: gitHub, now: 0 },
    roles,
  ).then((looked) => looked.flatMap((one) => one.findings));

beforeEach(async () => {
  store = memoryStore();
});
afterEach(() => store.close());

test("nothing is found where nothing is wrong", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  expect(await findings(gitHub)).toEqual([]);
});

test("what a repository asks for that agents cannot do is said with what follows, each by the repository's name", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository()).limits = { signatures: true, lfs: false, submodules: false };
  expect(await findings(gitHub)).toEqual([]);
  const merge = { ...config.merge, method: "rebase" as const };
  expect(await findings(gitHub, { ...config, merge })).toMatchObject([
    {
      about: "acme/shop",
      what: expect.stringContaining("signed commits"),
      next: expect.stringContaining("squash"),
    },
  ]);
});

test("a branch of `base` or `bases` that is not there is named; a pattern and what is there are not", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository()).branches.add("stable");
  const bases = ["release-*", "stable", "gone", { label: "base:next", branch: "next" }];
  const found = await findings(gitHub, { ...config, base: "develop", bases });
  expect(found.map(({ about, what }) => `${about} ${what}`)).toEqual([
    "acme/shop has no branch `develop`, which `base` names: no work starts on it",
    "acme/shop has no branch `gone`, which `bases` names: no work starts on it",
    "acme/shop has no branch `next`, which `bases` names: no work starts on it",
  ]);
  expect(await findings(gitHub, { ...config, base: "stable", bases: ["release-*", "stable"] })).toEqual([]);
});

test("pictures that are wanted and cannot be taken here are said, with who wants them", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  const screens = {
    run: "npm start",
    port: 3000,
    withinMs: 1,
    env: {},
    pages: [{ name: "start", path: "/" }],
    sizes: ["1280x800"],
  };
  const wanting = { ...config, evidence: { ...config.evidence, screens } };
  expect(await findings(gitHub, { ...wanting, sandbox: { ...config.sandbox, mode: "none" } })).toMatchObject([
    { what: expect.stringMatching(/^config.yaml and 1 more wants.*sandbox.mode is none$/) },
  ]);
  const here = { mode: "bubblewrap", browser: null } as const;
  expect(screensFindings(["acme/shop"], here)).toEqual([
    {
      about: "evidence.screens",
      what: "acme/shop wants pictures of its app, and this host has no Chromium",
      next: "Install the package chromium",
    },
  ]);
  expect(screensFindings([], here)).toEqual([]);
  expect(screensFindings(["acme/shop"], { ...here, browser: "/usr/lib/chromium/chromium 1 2" })).toEqual([]);
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
  const found = await findings(gitHub);
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
  expect(await findings(gitHub)).toEqual([{ about: "acme/shop", what: "502", next: "try again later" }]);
});

test("an App whose settings cannot be read is a finding, and the repositories are looked at all the same", async () => {
  const gitHub = Object.assign(github(), {
    appSettings: () => Promise.reject(new GitHubError("unavailable", "502", 502, { consequence: "retry" })),
  });
  await store.repositories.put(aRepository());
  gitHub.add(aRepository()).limits = { signatures: false, lfs: true, submodules: false };
  expect((await findings(gitHub)).map(({ about }) => about)).toEqual(["the App", "acme/shop"]);
});

test("what the App lacks is a finding beside what the repositories ask for", async () => {
  const gitHub = Object.assign(github(), {
    appSettings: async () => ({ ...settings, permissions: { ...settings.permissions, checks: "read" } }),
  });
  expect(await findings(gitHub)).toEqual([
    {
      about: "the App",
      what: "has the permission checks: read, and needs write",
      next: "Change it in the App's settings on GitHub",
    },
  ]);
});

const limitWaits = (): readonly GitHubWait[] => [
  { account: "installation 5", what: "content", until: 130_000 },
  { account: "*", what: "everything", until: 60_000 },
];

test("what GitHub's limits hold back is a finding with the minutes left", async () => {
  expect(await findings(Object.assign(github(), { limitWaits }))).toEqual([
    {
      about: "GitHub's limits",
      what: "leave no new comment, label or pull request of installation 5 now",
      next: "Nothing to do: it continues in about 3 min",
    },
    {
      about: "GitHub's limits",
      what: "leave no request of any account now",
      next: "Nothing to do: it continues in about 1 min",
    },
  ]);
});

test("a faulty file of a repository's own is a finding with its faults, where the App is installed still", async () => {
  const gitHub = github();
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  const faults = ["a: unknown key.", "b: too high."];
  await store.repositoryFiles.put(aRepositoryFile({ faults, source: null, override: null, readAt: 60_000 }));
  await store.repositoryFiles.put(aRepositoryFile({ repositoryId: 6, faults: ["not this one"] }));
  expect(await findings(gitHub)).toEqual([
    {
      about: "acme/shop",
      what: ".github/flotilla.yml on the default branch is faulty, blob 1a2b3c4: the operator's settings hold (read 1970-01-01 00:01 UTC): a: unknown key. b: too high.",
      next: expect.stringContaining("flotilla check --file"),
    },
  ]);
  gitHub.isInstalled = async () => false;
  expect(await findings(gitHub)).toEqual([]);
  gitHub.isInstalled = async () => true;
  await store.repositoryFiles.put(aRepositoryFile());
  expect(await findings(gitHub)).toEqual([]);
});

test("labels are looked for that the repository's own file names, not those that it takes away", async () => {
  const gitHub = Object.assign(github(), {
    missingLabels: async (_: unknown, labels: readonly string[]) => labels,
  });
  await store.repositories.put(aRepository());
  gitHub.add(aRepository());
  const lacking = async () => (await findings(gitHub)).map(({ what }) => what);
  expect(await lacking()).toEqual([expect.stringMatching(/^has no label "wish"/)]);
  const own = { [aRole().name]: { triggers: [{ event: "issues.labeled", label: "crash" }] } } as const;
  await store.repositoryFiles.put(aRepositoryFile({ override: { ...NO_OVERRIDE, roles: own } }));
  expect(await lacking()).toEqual([expect.stringMatching(/^has no label "crash"/)]);
});

/** What is in order or has findings. */
async function seen(gitHub: DoctorGitHub, hasStore: boolean) {
  const examined = { config, dataDir: "/nowhere", damage: [], hasStore, store, github: gitHub, now: 0 };
  return (await look(examined, ALL_ROLES)).flatMap(({ what, isUnseen }) => (isUnseen ? [] : [what]));
}

test("what could not be seen is not among what is in order", async () => {
  expect(await seen(github(), true)).toEqual([
    "the database",
    "the address to listen on",
    "the browser for pictures of apps",
    "the rules of the lifecycles",
    "GitHub's limits",
    "the App: key, permissions, events",
    "the webhooks",
    "the repositories",
  ]);
  const silent = github();
  silent.failNext(
    "identity",
    new GitHubError("unauthorized", "401", 401, { consequence: "stop", advice: "check APP_ID" }),
    "before",
  );
  expect(await seen(silent, false)).toEqual(["the address to listen on"]);
});
