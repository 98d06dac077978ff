import { describe, expect, it } from "vitest";
import { GIT_CALLS, GITHUB_CALLS } from "../../../src/domain/access/level-of-call.ts";
import type { EffectKind } from "../../../src/domain/kernel/effect.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { guardedByLevel, levelFor } from "../../../src/engine/outbox/level-guard.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { decisionsOn, statusComments, taskOf } from "../look.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { aRig, REPOSITORY } from "../rig.ts";

const repository = { ...REPOSITORY, private: true, defaultBranch: "main" };
const settings = someSettings({ level: "pr", levels: { repositories: {}, labels: { careful: "comment" } } });

const fails = (code: "unavailable" | "not_found") =>
  new GitHubError(code, "no", 500, { consequence: "retry" });

it("where an issue's labels cannot be read nothing is written, and what writes nothing continues", async () => {
  const { github } = await aRig();
  const level = (kind: EffectKind, code: Parameters<typeof fails>[0]) => {
    github.failNext("issue", fails(code), "before");
    return levelFor({ settings, github }, repository, { kind, issue: 1 });
  };
  await expect(level("post_comment", "unavailable")).rejects.toThrow("no");
  expect(await level("close_session", "unavailable")).toBe("observe");
  expect(await level("remove_label", "not_found")).toBe("pr");
});

it("asks GitHub for no labels where none matters", async () => {
  const { github } = await aRig();
  github.failNext("issue", fails("unavailable"), "before");
  const at = { settings: someSettings({ level: "draft" }), github };
  expect(await levelFor(at, repository, { kind: "post_comment", issue: 1 })).toBe("draft");
  expect(await levelFor({ settings, github }, repository, { kind: "open_incident", issue: 0 })).toBe("pr");
});

const NEEDED = Object.entries({ ...GITHUB_CALLS, ...GIT_CALLS }).filter(([, first]) => first !== null);

it.each(NEEDED)(
  "an effect that is withheld cannot call %s, and is told what it would have said",
  async (name) => {
    const rig = await aRig();
    const { github, worktrees } = guardedByLevel(rig, "observe", "post_comment");
    const call: unknown = Reflect.get(name in GIT_CALLS ? worktrees : github, name);
    if (typeof call !== "function") throw new Error(`no ${name}`);
    await expect(Reflect.apply(call, undefined, [REPOSITORY, 1, "text"])).rejects.toMatchObject({
      code: "withheld",
      call: { name, with: [1, "text"] },
    });
    expect(rig.github.writes).toEqual([]);
  },
);

it("an effect that is let out can call no more than its level allows", async () => {
  const rig = await aRig();
  const { github } = guardedByLevel(rig, "comment", "post_comment");
  await github.putComment(REPOSITORY, 1, { key: "k", body: "b", knownId: undefined, lagsUntil: 0 });
  await expect(github.mergePull(REPOSITORY, 1, { head: "a", method: "squash" })).rejects.toThrow("withheld");
  expect(rig.github.writes).toHaveLength(1);
});

it("a call that the level allows is stopped for an effect that it does not", async () => {
  const rig = await aRig();
  const { github } = guardedByLevel(rig, "comment", "create_sub_issue");
  const wanted = { key: "k", title: "t", body: "b", lagsUntil: 0 };
  await expect(github.createIssue(REPOSITORY, wanted)).rejects.toThrow("withheld");
  expect(rig.github.writes).toEqual([]);
});

describe("a merge queue whose switch is on", () => {
  it.each([
    ["the repository's level is pr", { level: "pr" }, false],
    ["a label of the issue lowers it", { levels: { repositories: {}, labels: { feature: "pr" } } }, true],
  ] as const)("leaves the merge to people where %s", async (_, levels, hasPlace) => {
    const rig = await approvedWork({ settings: { ...merging(), ...levels } });
    expect((await taskOf(rig))?.state).toBe("APPROVED");
    expect(rig.github.writes.filter((write) => write.startsWith("mergePull"))).toEqual([]);
    expect(await decisionsOn(rig)).toContain("merge_asked");
    expect(statusComments(rig).join("").includes("in the merge queue")).toBe(hasPlace);
  });
});
