import { describe, expect, test } from "vitest";
import { NO_CHOICE } from "../../../src/domain/agents/start-choice.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";

const FILE = ".github/flotilla.yml";
const put = (rig: Rig, text: string, path = FILE) => rig.repository.files.set(path, text);
const told = async (rig: Rig) =>
  (await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 20))
    .filter(({ rule }) => rule.startsWith("repository_file"))
    .map(({ rule }) => rule)
    .toReversed();
const agents = (rig: Rig) => rig.store.records.find("agent", { repositoryId: REPOSITORY.id });
const CRASH = "roles: { bug-fix: { triggers: [{ event: issues.labeled, label: crash }] } }";

describe("a repository's own file", () => {
  test("is read before the first delivery is decided, and chooses role, branch and limits", async () => {
    const rig = await aRig({ script: [on(1, blocked(2))] });
    put(
      rig,
      `${CRASH}\nbranches: "bots/{role}-{number}"\ncircuit_breakers: { roles: { bug-fix: { max_turns: 7 } } }`,
    );
    await tell(rig, labeled(rig, 1, { label: "crash" }));
    expect(await agents(rig)).toMatchObject([{ role: "bug-fix", branch: "bots/bug-fix-1" }]);
    expect(rig.context.settingsOf(REPOSITORY.id).limits.roles.get("bug-fix")?.maxTurns).toBe(7);
    expect(await told(rig)).toEqual(["repository_file_taken"]);
    expect(rig.context.settings.branches).toBe("flotilla/{role}/issue-{number}");
  });

  test("that is faulty keeps what it said last, through a restart, and is told once", async () => {
    const rig = await aRig({ script: [on(1, blocked(2))] });
    put(rig, "review: { required: true }");
    await tell(rig, labeled(rig, 1));
    put(rig, "review: { required: true }\nevidence: { timeout: 20m }\nmerg: {}");
    for (const issue of [2, 3]) {
      rig.clock.advance(rig.context.settings.reconcileEveryMs);
      await tell(rig, labeled(rig, issue));
    }
    expect(rig.context.settingsOf(REPOSITORY.id).review.required).toBe(true);
    expect(await told(rig)).toEqual(["repository_file_taken", "repository_file_faulty"]);
    const said = [...rig.repository.comments].flatMap(([issue, all]) =>
      all.filter(({ body }) => body.includes("is faulty")).map(({ body }) => ({ issue, body })),
    );
    expect(said).toMatchObject([{ issue: 2, body: expect.stringContaining("merg: unknown key.") }]);
    const [faulty] = await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 1);
    expect(faulty?.reason).toContain('merg: unknown key. Did you mean "merge"?');
    expect(faulty?.reason).toContain("evidence.timeout: is more than the operator's 10m");
    expect(said[0]?.body).toContain("Its last version without a fault still applies.");
    const [, taken] = await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 2);
    expect([faulty?.change, taken?.change]).toEqual([expect.stringContaining("check --file"), null]);

    await rig.restart();
    expect(rig.context.settingsOf(REPOSITORY.id).review.required).toBe(true);
    await rig.pass(MINUTE);
    expect(await told(rig)).toHaveLength(2);
  });

  test("is looked at again where an agent lives though no webhook told of a push, and is gone when it is gone", async () => {
    const rig = await aRig({ script: [on(1, blocked(2))] });
    await tell(rig, labeled(rig, 1));
    put(rig, "review: { reviewers: 2 }");
    await rig.pass(rig.context.settings.reconcileEveryMs);
    expect(rig.context.settingsOf(REPOSITORY.id).review.reviewers).toBe(2);
    rig.repository.files.delete(FILE);
    await rig.pass(rig.context.settings.reconcileEveryMs);
    expect(rig.context.settingsOf(REPOSITORY.id)).toBe(rig.context.settings);
    expect(await told(rig)).toEqual(["repository_file_taken", "repository_file_gone"]);
  });

  test("holds at once where a push to the default branch is told, before anything else happens", async () => {
    const rig = await aRig();
    await tell(rig, labeled(rig, 1, { label: "crash" }));
    put(rig, CRASH);
    const push = async (guid: string, branch: string) => {
      const { id, owner, name, installationId } = REPOSITORY;
      const repository = { id, name, full_name: "acme/shop", owner: { login: owner }, private: true };
      const payload = {
        ref: `refs/heads/${branch}`,
        after: "a".repeat(40),
        deleted: false,
        commits: [],
        sender: person("alice"),
        installation: { id: installationId },
        repository: { ...repository, default_branch: "main" },
      };
      const row = { guid, event: "push", action: null, lane: guid, payload: JSON.stringify(payload) };
      await rig.store.deliveries.insert([
        { ...row, installationId, repositoryId: id, receivedAt: rig.clock.now() },
      ]);
      return takeIn(rig);
    };
    await push("p1", "topic");
    expect(await told(rig)).toEqual([]);
    expect(await push("p2", "main")).toEqual(["push"]);
    expect(await told(rig)).toEqual(["repository_file_taken"]);
    expect(rig.context.settingsOf(REPOSITORY.id).roles.get("bug-fix")?.triggers).toEqual([
      { event: "issues.labeled", label: "crash" },
    ]);
  });

  test("costs one request where nothing has changed, and none within reconcile_every", async () => {
    const rig = await aRig({ script: [on(1, blocked(2))] });
    put(rig, "review: { reviewers: 2 }");
    const calls: string[] = [];
    rig.onCall = (call) => void (/\.(directory|file)$/.test(call) && calls.push(call));
    await tell(rig, labeled(rig, 1), labeled(rig, 2));
    expect(calls).toEqual(["github.directory", "github.file", "github.directory"]);
    calls.length = 0;
    rig.clock.advance(rig.context.settings.reconcileEveryMs);
    await tell(rig, labeled(rig, 3));
    expect(calls).toEqual(["github.directory"]);
  });

  test("is not read through a symbolic link, nor are its role files, nor when they are too long", async () => {
    const rig = await aRig();
    put(rig, CRASH);
    rig.repository.links.add(FILE);
    await rig.context.ownSettings.refresh(row);
    expect(await reason(rig)).toContain(`${FILE}: is no regular file; put the file itself there.`);
    rig.repository.links.clear();
    put(rig, "x".repeat(20_000), ".github/flotilla/roles/long.md");
    await rig.context.ownSettings.refresh(row);
    expect(await reason(rig)).toContain(".github/flotilla/roles/long.md: is longer than 16384 bytes");
    expect(rig.context.settingsOf(REPOSITORY.id)).toBe(rig.context.settings);
    put(rig, "---\ndescription: Fixes.\ntools: [read]\n---\nFix.", ".github/flotilla/roles/long.md");
    put(rig, "roles: { bug-fix: { prompt: long.md } }");
    await rig.context.ownSettings.refresh(row);
    expect(
      rig.context.roleOf({ repositoryId: REPOSITORY.id, role: "bug-fix", runtime: "copilot", ...NO_CHOICE })
        ?.prompt,
    ).toBe("Fix.");
  });

  test("that GitHub does not give holds a first delivery up, and later leaves what was read in force", async () => {
    const rig = await aRig();
    put(rig, "review: { reviewers: 2 }");
    rig.github.failNext("directory", gone("unavailable", "retry"), "before");
    await expect(rig.engine.handle(labeled(rig, 1))).rejects.toThrow("no answer");
    expect(await agents(rig)).toEqual([]);
    await rig.context.ownSettings.refresh(row);
    rig.github.failNext("directory", gone("unavailable", "retry"), "before");
    await rig.context.ownSettings.refresh(row);
    expect(rig.context.settingsOf(REPOSITORY.id).review.reviewers).toBe(2);
    const other = await aRig();
    other.github.failNext("directory", gone("forbidden", "tell"), "before");
    await tell(other, labeled(other, 1));
    expect(await agents(other)).toHaveLength(1);
    expect(other.logged).toMatchObject([{ message: expect.stringContaining("not read") }]);
  });
});

const row = { ...REPOSITORY, private: true, defaultBranch: "main" };
const gone = (code: "unavailable" | "forbidden", consequence: "retry" | "tell") =>
  new GitHubError(code, "no answer", 0, { consequence });
const reason = async (rig: Rig) => (await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 1))[0]?.reason ?? "";
