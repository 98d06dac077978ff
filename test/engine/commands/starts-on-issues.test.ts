import { expect, it } from "vitest";
import { commentsOn, statusComments } from "../look.ts";
import { locked, said, tell } from "../people.ts";
import { personsPull, saidOnPull } from "../persons-pull.ts";
import { ROLES } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";

const PULL = 2;
const start = { repository: "acme/shop", words: "", id: "s", by: "alice" };

/** A person's pull request from a fork, which Flotilla knows. */
async function withPull(): Promise<Rig> {
  const rig = await aRig({ issues: 1, settings: { roles: ROLES } });
  personsPull(rig, { by: "eve", head: "forks", fork: "eve/shop" });
  await tell(rig, saidOnPull(rig, PULL, "Looks good."));
  return rig;
}

it("starts no work on a pull request, as a comment there starts none", async () => {
  const rig = await withPull();
  await expect(
    rig.engine.operations.startWork({ ...start, on: { issue: PULL }, role: "feat-dev" }),
  ).rejects.toMatchObject({ code: "not_steered", hint: expect.stringContaining("/flotilla fix") });
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(await rig.store.records.find("task", {})).toEqual([]);
});

it.each(["retry", "revive"] as const)("makes no other attempt on a pull request by %s", async (operation) => {
  const rig = await withPull();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  const agent = "acme/shop:feat-dev-issue-2";
  await rig.engine.operations.kill({ agent, id: "k", by: "alice", reason: null });
  await expect(
    rig.engine.operations[operation]({ agent, id: "r", by: "alice", reason: null }),
  ).rejects.toMatchObject({ code: "not_steered", hint: expect.stringContaining("/flotilla fix") });
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
  expect(await rig.store.records.find("task", {})).toEqual([]);
});

it.each([
  ["", "unknown_role"],
  ["painter", "unknown_role"],
  ["reviewer", "no_review"],
])("opens no issue where the start with the role %j would be refused on it", async (role, rule) => {
  const rig = await withPull();
  const before = rig.repository.issues.size;
  await expect(
    rig.engine.operations.startWork({ ...start, on: { title: "Sort it", body: "" }, role }),
  ).rejects.toMatchObject({ code: "policy_denied", fault: { rule } });
  expect(rig.repository.issues.size).toBe(before);
});

it("opens an issue and starts the role on it", async () => {
  const rig = await withPull();
  const started = await rig.engine.operations.startWork({
    ...start,
    on: { title: "Sort it", body: "By date." },
    role: "feat-dev",
  });
  expect(started).toMatchObject({ issue: 3, agent: { name: "feat-dev-issue-3" } });
});

/** What stands in the way of work on issue 1, and what a start says then. */
const IN_THE_WAY: readonly (readonly [
  what: string,
  before: (rig: Rig) => void,
  where: Partial<typeof start>,
  fault: object,
])[] = [
  ["closed", (rig) => close(rig, 1), {}, { code: "policy_denied", fault: { rule: "closed" } }],
  ["locked", (rig) => void locked(rig, 1, true), {}, { code: "policy_denied", fault: { rule: "locked" } }],
  [
    "transferred",
    (rig) => move(rig, 1, 2),
    {},
    { code: "not_steered", fault: { why: "#1 was transferred to acme/other#2" } },
  ],
  ["deleted", (rig) => void rig.repository.issues.delete(1), {}, { code: "not_found" }],
  ["of another repository", () => undefined, { repository: "acme/other" }, { code: "not_found" }],
];

it.each(IN_THE_WAY)(
  "starts nothing on an issue that is %s, ten times at once",
  async (_, before, where, fault) => {
    const rig = await withIssue();
    before(rig);
    for (const told of await tenAtOnce(rig, where)) expect(told).toMatchObject({ reason: fault });
    await rig.idle();
    expect(await rig.store.records.find("agent", {})).toEqual([]);
    // The status comment says the reason, once.
    expect(commentsOn(rig, 1).length + statusComments(rig, 1).length).toBeLessThanOrEqual(1);
  },
);

it("starts one agent where ten people start it at once, and tells the other nine that somebody was faster", async () => {
  const rig = await withIssue();
  const told = await tenAtOnce(rig, {});
  expect(told.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of told.filter(({ status }) => status === "rejected"))
    expect(one).toMatchObject({
      reason: { code: expect.stringMatching(/^(?:stale_snapshot|policy_denied)$/) },
    });
  expect(await rig.store.records.find("agent", {})).toMatchObject([{ name: "feat-dev-issue-1" }]);
});

it("starts once however often the same request arrives", async () => {
  const rig = await withIssue();
  const told = await tenAtOnce(rig, {}, () => "same");
  expect(told.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
});

/** Two issues of a repository that Flotilla knows. */
async function withIssue(): Promise<Rig> {
  const rig = await aRig({ issues: 2, settings: { roles: ROLES } });
  await tell(rig, said(rig, 2, "Hello."));
  return rig;
}

const tenAtOnce = (rig: Rig, where: Partial<typeof start>, id = (at: number) => `start-${at}`) =>
  Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      rig.engine.operations.startWork({ ...start, ...where, id: id(at), on: { issue: 1 }, role: "feat-dev" }),
    ),
  );

function close(rig: Rig, issue: number): void {
  Object.assign(rig.repository.issues.get(issue) ?? {}, { state: "closed" });
}

/** GitHub answers for a transferred issue with the one that it has become elsewhere. */
function move(rig: Rig, issue: number, to: number): void {
  const was = rig.repository.issues.get(issue);
  if (was !== undefined)
    rig.repository.issues.set(issue, {
      ...was,
      number: to,
      url: `https://github.test/acme/other/issues/${to}`,
    });
}
