import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
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
  expect(first).toContain("Commands run by Flotilla: none yet");
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
