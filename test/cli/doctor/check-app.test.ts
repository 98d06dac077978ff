import { expect, test } from "vitest";
import { appDifferences } from "../../../src/cli/doctor/check-app.ts";
import type { AppSettings } from "../../../src/domain/ports/github-app.ts";

const WANTED = {
  default_events: ["issues", "push"],
  default_permissions: { issues: "write", checks: "read" },
};
const PERMISSIONS = { issues: "write", checks: "write", metadata: "read" };
const HOOK = {
  url: "https://bots/api/github/webhooks",
  hasSecret: true,
  contentType: "json",
  verifiesTls: true,
  latest: [],
};
const INSTALLED = {
  account: "acme",
  suspended: false,
  installedAt: 0,
  permissions: PERMISSIONS,
  events: WANTED.default_events,
};
const APP: AppSettings = {
  permissions: PERMISSIONS,
  events: WANTED.default_events,
  hook: HOOK,
  installations: [INSTALLED],
};

const found = (settings: Partial<AppSettings>) =>
  appDifferences({ ...APP, ...settings }, WANTED).map(({ about, what }) => `${about} ${what}`);

test("an App that has what is needed, and more, has no finding", () => {
  expect(found({})).toEqual([]);
});

test("each permission that is missing or too low is named, and events that are not told", () => {
  expect(found({ permissions: { issues: "read" }, events: ["issues"] })).toEqual([
    "the App has the permission issues: read, and needs write",
    "the App has the permission checks: none, and needs read",
    "the App is not told of the events push",
  ]);
});

test("what an installation has not accepted is named with its owner, and not what the App itself lacks", () => {
  const installations = [INSTALLED, { ...INSTALLED, account: "other", permissions: {} }];
  expect(found({ installations })).toEqual([
    "the installation on other has the permission issues: none, and needs write",
    "the installation on other has the permission checks: none, and needs read",
  ]);
  expect(found({ installations, permissions: { issues: "write" } })).toEqual([
    "the App has the permission checks: none, and needs read",
    "the installation on other has the permission issues: none, and needs write",
  ]);
});

test("a suspended installation, and one that is nowhere, is said", () => {
  expect(found({ installations: [{ ...INSTALLED, suspended: true, permissions: {} }] })).toEqual([
    "the installation on acme is suspended: nothing is done there",
  ]);
  expect(found({ installations: [] })).toEqual(["the App is installed nowhere"]);
});

test.each([
  [{ url: "" }, "has no address, so nothing is told"],
  [{ url: "https://bots/" }, "goes to https://bots/, which does not end in /api/github/webhooks"],
  [{ hasSecret: false }, "has no secret: every delivery will be refused"],
  [{ contentType: "form" }, "sends forms; its content type must be application/json"],
  [{ verifiesTls: false }, "does not check certificates: anybody on the way could read deliveries"],
])("a webhook with %j is a finding", (wrong, what) => {
  expect(found({ hook: { ...HOOK, ...wrong } })).toEqual([`the App's webhook ${what}`]);
});
