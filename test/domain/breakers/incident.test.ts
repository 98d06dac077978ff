import { describe, expect, it } from "vitest";
import {
  type Failure,
  failureFingerprint,
  findIncident,
  type IncidentRow,
  probeOutcome,
  probePause,
} from "../../../src/domain/breakers/incident.ts";
import { incidentIssue } from "../../../src/domain/breakers/incident-issue.ts";

const failure = (issue: number, text = "npm ci: ENOSPC", repositoryId = 7): Failure => ({
  at: 1000 + issue,
  repositoryId,
  issue,
  agentId: issue,
  text,
});

const known = (fields: Partial<IncidentRow>): IncidentRow => ({
  id: 1,
  state: "open",
  scope: "repository:7",
  fingerprint: failureFingerprint("npm ci: ENOSPC"),
  text: "npm ci: ENOSPC",
  repositoryId: 7,
  firstIssue: 1,
  issue: null,
  openedAt: 900,
  probeAt: 0,
  probeAgentId: null,
  probeSince: null,
  failedProbes: 0,
  closedAt: null,
  ...fields,
});

it.each([
  ["feat-dev-issue-1 died after 12 s", "bug-fix-issue-99.2 died after 3 min"],
  ["no space at /var/lib/a/x.ts", "no space at /srv/b/y.ts"],
  ["HTTP 502 for #12", "HTTP 503 for #4"],
])("takes %j and %j for the same failure", (one, other) => {
  expect(failureFingerprint(one)).toBe(failureFingerprint(other));
});

it("keeps other failures apart", () => {
  expect(failureFingerprint("no space left")).not.toBe(failureFingerprint("permission denied"));
});

describe("an incident", () => {
  it("is the same failure in as many issues as the setting says, and not in fewer", () => {
    const two = [failure(1), failure(2), failure(2), failure(2)];
    expect(findIncident(two, [], 3)).toBeNull();
    expect(findIncident([...two, failure(3, "other")], [], 3)).toBeNull();
    expect(findIncident([...two, failure(3)], [], 3)).toMatchObject({
      scope: "repository:7",
      repositoryId: 7,
      firstIssue: 1,
      text: "npm ci: ENOSPC",
    });
  });

  it("is everybody's when it is met in more than one repository", () => {
    const found = findIncident([failure(1), failure(1, "npm ci: ENOSPC", 8), failure(2)], [], 3);
    expect(found).toMatchObject({ scope: "all", repositoryId: 7 });
  });

  it("is found once while it is open, and again only by failures after its end", () => {
    const three = [failure(1), failure(2), failure(3)];
    expect(findIncident(three, [known({})], 3)).toBeNull();
    expect(findIncident(three, [known({ state: "closed", closedAt: 1001 })], 3)).toBeNull();
    expect(findIncident(three, [known({ state: "closed", closedAt: 1000 })], 3)).not.toBeNull();
    expect(findIncident(three, [known({ fingerprint: "other" })], 3)).not.toBeNull();
  });
});

it.each([
  [0, 5],
  [1, 10],
  [3, 40],
  [4, 60],
  [99, 60],
])("after %i failed probes waits %i minutes for the next", (failed, minutes) => {
  expect(probePause(failed)).toBe(minutes * 60_000);
});

const probe = { began: true, active: true, failed: false, turns: 0, live: true };
it.each([
  [{ ...probe, began: false }, "waiting"],
  [{ ...probe, began: false, live: false }, "lost"],
  [{ ...probe, turns: 2 }, "waiting"],
  [{ ...probe, turns: 3 }, "through"],
  [{ ...probe, active: false }, "through"],
  [{ ...probe, active: false, failed: true }, "failed"],
])("a probe with %j is %s", (facts, outcome) => {
  expect(probeOutcome(facts)).toBe(outcome);
});

it("tells people what failed, where, and that it continues automatically", () => {
  const found = findIncident([failure(1, "a ``` b"), failure(2, "a ``` b"), failure(2, "a ``` b", 8)], [], 3);
  if (found === null) throw new Error("no incident");
  const { title, body } = incidentIssue(found, { nameOf: (id) => `acme/r${id}`, notify: ["oncall"] });
  expect(title).toBe("Flotilla: the same failure in 3 issues");
  expect(body).toContain("everything is paused: nothing starts or wakes. @oncall");
  expect(body).toContain("a ''' b");
  expect(body).toContain("Seen in acme/r7#1, acme/r7#2, acme/r8#2.");
  const one = incidentIssue({ ...found, scope: "repository:7" }, { nameOf: String, notify: [] });
  expect(one.body).toContain("this repository is paused");
});
