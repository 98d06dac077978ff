import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { addComment, BOT, happened, person } from "../../fakes/github-world.ts";
import { agentOf, runOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, complete, edit, escalate, on, openPr, slowly } from "../scripts.ts";

const commitAs = (message: string) => call("commit", { message });
const bodyOf = async (rig: Rig) => rig.repository.pulls.get((await agentOf(rig)).prNumber ?? 0)?.body ?? "";
const evidence = {
  commands: ["npm test"],
  timeoutMs: MINUTE,
  requiredChecks: [],
  maxBounces: 3,
  evaluatorThreshold: 0.85,
  screens: null,
};

/** Messages of the commits on the agent's branch, as git has them. */
function watchCommits(rig: Rig): string[] {
  const messages: string[] = [];
  const commit = methodOf(rig.worktrees, "commit");
  rig.worktrees.commit = (ref, options) => {
    messages.push(`${options.author.name}: ${options.message}`);
    return commit(ref, options);
  };
  return messages;
}

it.each([
  [false, ""],
  [true, "\nSigned-off-by: flotilla[bot] <"],
])(
  "commits name run and model whatever the agent writes, signed off by the bot: %s",
  async (signOff, end) => {
    const rig = await aRig({
      script: [on(1, edit(), commitAs("Build it\n\nFlotilla-Run: me\nModel: better"), openPr, complete)],
      settings: { commits: { signOff } },
    });
    const messages = watchCommits(rig);
    await tell(rig, labeled(rig, 1));
    const run = await runOf(rig);
    const trailers = `Flotilla-Run: acme/shop:feat-dev-issue-1/${run?.id}\nModel: ${rig.context.settings.runtime.model}`;
    expect(messages).toEqual([expect.stringContaining(`flotilla[bot]: Build it\n\n${trailers}${end}`)]);
    expect(messages[0]?.includes("Signed-off-by")).toBe(signOff);
    expect(messages[0]).not.toMatch(/: me$|better/m);
  },
);

it.each([
  ["of who opened and labelled the issue", { author: "alice", by: "alice" }, "alice"],
  ["of who labelled it", { author: "carol", by: "alice", on: "event" }, "alice"],
  ["of who commands the start there", { author: "carol", by: "alice", on: "comment" }, "alice"],
  ["of its author, where our own triage labelled it", { author: "carol", by: null }, "carol"],
  ["of nobody whom the issue does not show", { author: "carol", by: "alice" }, null],
] as const)("commits have a co-author by the account %s", async (_, { author, by, ...where }, expected) => {
  const rig = await aRig({ script: [on(1, edit(), commitAs("Build it"), complete)] });
  const messages = watchCommits(rig);
  Object.assign(rig.repository.issues.get(1) ?? {}, { author: person(author) });
  const alice = person("alice");
  if ("on" in where && where.on === "event") happened(rig.repository, 1, "labeled", { by: alice });
  if ("on" in where && where.on === "comment")
    addComment(rig.repository, 1, { body: "/flotilla start", author: alice, at: 0 });
  addComment(rig.repository, 1, { body: "Me too", author: person("stranger"), at: 0 });
  const label = labeled(rig, 1, { own: by === null });
  await tell(rig, by === null ? { ...label, actor: BOT } : label);
  const found = messages[0]?.split("\n").filter((line) => line.startsWith("Co-authored-by"));
  const lines = [expected].flatMap((login) => {
    if (login === null) return [];
    return [`Co-authored-by: ${login} <${person(login).id}+${login}@users.noreply.github.com>`];
  });
  expect(found).toEqual(lines);
});

it("a pull request shows the host's facts, renewed when commands were run and commits pushed", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        edit(),
        commitAs("Build it"),
        openPr,
        escalate,
        after("Answer", edit("more.ts")),
        commitAs("More"),
        complete,
      ),
    ],
    settings: { evidence },
  });
  rig.repository.changedFiles.set("flotilla/feat-dev/issue-1", ["feature.ts"]);
  await tell(rig, labeled(rig, 1));
  const first = await bodyOf(rig);
  expect(first).toContain("- Files changed: 1\n  - `feature.ts`");
  expect(first).toContain("Commands run by Flotilla: none when this was written");
  expect(first).toContain(`/acme/shop/commit/${(await agentOf(rig)).headCommit})\n- Run`);
  const pull = rig.repository.pulls.get((await agentOf(rig)).prNumber ?? 0);
  Object.assign(pull ?? {}, { body: `${first}\r\n\r\nA person adds this.` });
  rig.repository.changedFiles.set("flotilla/feat-dev/issue-1", ["feature.ts", "more.ts"]);
  await tell(rig, said(rig, 1, "/flotilla answer the first"));
  const last = await bodyOf(rig);
  const { headCommit } = await agentOf(rig);
  expect(last).toContain(`- Commit: [${headCommit?.slice(0, 7)}](/acme/shop/commit/${headCommit})`);
  expect(last).toContain("- Files changed: 2\n");
  expect(last).toContain(`\`npm test\`: exit 0 on [${headCommit?.slice(0, 7)}]`);
  expect(last.endsWith("\r\n\r\nA person adds this.")).toBe(true);
  expect(last).not.toContain(String(/- Commit: \[(\w+)\]/.exec(first)?.[1]));
});

it("renews the facts with a push, while the agent is still at work", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        edit(),
        commitAs("Build it"),
        openPr,
        edit("b.ts"),
        commitAs("More"),
        slowly(30 * MINUTE, complete),
      ),
    ],
  });
  const messages = watchCommits(rig);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("the second commit is shown", async () => {
    const { headCommit } = await agentOf(rig);
    return messages.length === 2 && (await bodyOf(rig)).includes(`/commit/${headCommit})\n- Run`);
  });
  expect(await agentOf(rig)).toMatchObject({ state: "ACTIVE" });
});

it("leaves the body of a closed pull request as it is", async () => {
  const rig = await aRig({ script: [on(1, edit(), commitAs("Build it"), openPr, escalate)] });
  await tell(rig, labeled(rig, 1));
  const pull = rig.repository.pulls.get((await agentOf(rig)).prNumber ?? 0);
  Object.assign(pull ?? {}, { state: "closed" });
  rig.repository.changedFiles.set("flotilla/feat-dev/issue-1", ["other.ts"]);
  const before = await bodyOf(rig);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await bodyOf(rig)).toBe(before);
});
