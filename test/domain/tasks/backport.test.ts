import { describe, expect, it } from "vitest";
import { startRole } from "../../../src/domain/agents/start-role.ts";
import { revives } from "../../../src/domain/commands/steer.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { ChangeSet, IssueState } from "../../../src/domain/kernel/change-set.ts";
import { backportIssue, backportNote, changeText, mergedChange } from "../../../src/domain/tasks/backport.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const settings = someSettings({ bases: ["release-*"] });
const COMMIT = "c".repeat(40);
const coder = anAgent({ state: "COMPLETED" });
const merged = aTask({ state: "MERGED", mergeCommit: COMMIT, assigneeId: coder.id });
const view = (more: Partial<IssueState> = {}) =>
  aView({ settings, agents: [coder], newestTask: merged, ...more });
const asks = (rest: string, on: IssueState = view()) =>
  decide(aCommand("backport", rest, { issue: anIssue({ state: "closed" }) }), on);
const madeBy = ({ effects }: ChangeSet) => effects.filter(({ kind }) => kind === "create_backport");
const openedBy = ({ moves }: ChangeSet) =>
  moves.flatMap(({ event }) => (event.type === "OPEN" && "base" in event ? [event.backport] : []));

const NOTHING_MERGED =
  "no agent's work on #42 is merged / say it again once its pull request is merged; for a fix that a person made, open an issue that names its commit, and say `/flotilla start <role> on release-1` there";

describe("/flotilla backport", () => {
  it("opens an issue for merged work, whose coder is of the same role", () => {
    const changes = asks("release-1");
    expect([movesOf(changes), rulesOf(changes)]).toEqual([[], ["asked"]]);
    expect(madeBy(changes)).toEqual([
      { kind: "create_backport", task: merged.id, base: "release-1", role: "feat-dev", by: "alice" },
    ]);
    expect(changes.effects).toContainEqual(expect.objectContaining({ kind: "react", reaction: "+1" }));
  });

  it("brings work of a release to the default branch, too", () => {
    const on = view({ newestTask: { ...merged, base: "release-1" } });
    expect(madeBy(asks("main", on))).toMatchObject([{ base: "main" }]);
  });

  it.each([
    ["", {}, "the command must name exactly one branch / say `/flotilla backport <branch>`"],
    [
      "release-1 release-2",
      {},
      "the command must name exactly one branch / say `/flotilla backport <branch>`",
    ],
    ["release-1", { newestTask: { ...merged, state: "APPROVED" } }, NOTHING_MERGED],
    ["release-1", { newestTask: null }, NOTHING_MERGED],
    ["release-1", { newestTask: { ...merged, mergeCommit: null } }, NOTHING_MERGED],
    ["main", {}, "the work on #42 was merged into `main` itself / name another branch"],
    [
      "release-1",
      { settings: someSettings({ bases: ["release-*"], roles: rolesOf() }) },
      "the role that did the work on #42 no longer exists / open an issue for it, and say `/flotilla start <role> on release-1` there",
    ],
  ] as const)("%s is refused where it cannot be done: %#", (rest, more, why) => {
    const changes = asks(rest, view(more));
    expect([madeBy(changes), rulesOf(changes)]).toEqual([[], ["backport_refused"]]);
    expect(whyOf(changes)).toBe(why);
  });

  it("is refused for a branch that is not on the list", () => {
    expect(rulesOf(asks("trunk"))).toEqual(["base_refused"]);
  });
});

describe("a backport to a branch whose name is a trick", () => {
  it.each([
    "release-..",
    "release-1:main",
    "release-$(id)",
    "../main",
    "-x",
    "refs/heads/main",
    "ma\u0456n",
    "release-1\u200b",
  ])("is refused: %j", (branch) => {
    const changes = asks(branch, view());
    expect([madeBy(changes), rulesOf(changes)]).toEqual([[], ["base_refused"]]);
  });
});

describe("the task of a backport", () => {
  const cause = { at: AT, actor: "alice", issue: anIssue(), personPull: null, base: "release-1" };
  const port = aTask({ state: "ABANDONED", base: "release-1", backport: COMMIT });

  it("knows the commit, and so does that of a further attempt on the same branch", () => {
    expect(openedBy(startRole(aRole(), aView({ settings }), { ...cause, backport: COMMIT }))).toEqual([
      COMMIT,
    ]);
    expect(openedBy(startRole(aRole(), aView({ settings }), cause))).toEqual([undefined]);
    const again = aView({ settings, agents: [anAgent({ state: "FAILED" })], newestTask: port });
    const { base: _, ...retried } = cause;
    const revived = revives(anAgent({ state: "FAILED" }), again, { ...retried, why: "" });
    expect(openedBy(revived ?? asks(""))).toEqual([COMMIT]);
    expect(openedBy(startRole(aRole(), again, { ...cause, base: "main" }))).toEqual([undefined]);
  });

  it("has an issue that says what to bring where", () => {
    const about = {
      issue: 5,
      title: "Fix it",
      onto: null,
      commit: COMMIT,
      from: "main",
      to: "release-1",
    };
    expect(backportIssue({ ...about, pull: 7 })).toMatchObject({
      title: "Fix it (backport to release-1)",
      body: expect.stringMatching(
        /^The work on #5 was merged into `main` by #7 as c{40}\. Bring the same change to `release-1`, and nothing else\.\n/,
      ),
    });
    expect(backportIssue({ ...about, pull: null }).body).toContain("into `main` as c");
    const rebased = /several commits and was merged by a rebase, that commit is only the last of them/;
    expect(backportIssue({ ...about, pull: 7 }).body).toMatch(rebased);
    expect(backportIssue({ ...about, pull: null }).body).toMatch(rebased);
    expect(backportNote(COMMIT)).toContain(`see \`git log ${COMMIT}\`), that commit is only the last`);
  });

  it("says what all of it is, where that is known", () => {
    const onto = "b".repeat(40);
    const about = { issue: 5, title: "Fix it", onto, commit: COMMIT, from: "main", to: "release-1" };
    const told = [backportIssue({ ...about, pull: 7 }).body, backportNote(changeText(about))];
    for (const text of told) {
      expect(text).toContain(`\`git diff ${onto} ${COMMIT}\``);
      expect(text).not.toContain("only the last");
    }
    expect(mergedChange(changeText(about))).toEqual({ onto, commit: COMMIT });
    expect(mergedChange(COMMIT)).toEqual({ onto: null, commit: COMMIT });
  });
});
