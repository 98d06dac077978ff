import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Tables } from "../../../src/domain/ports/store.ts";
import { issueStatusOf } from "../../../src/engine/merge-queue/agent-statuses.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { close, person } from "../../fakes/github-world.ts";
import { agentOf, commentsOn, stateOf, statusComments, taskOf } from "../look.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { edited, issueOf, labeled, pullClosed, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, blocked, commit, complete, edit, on, onAttempt, openPr, work } from "../scripts.ts";

const lastDecision = (rig: Rig, issue = 1) =>
  /^Last decision, .*$/m.exec(statusComments(rig, issue).join())?.[0] ?? "";

const pullOf = async (rig: Rig) => (await agentOf(rig)).prNumber ?? 0;

it.each([
  ["people merge", {}],
  ["Flotilla merges", merging()],
])("of merged work says by whom, and asks for nothing, where %s", async (_, settings) => {
  const rig = await approvedWork({
    settings,
    // GitHub says so before its delivery comes.
    before: (now) => {
      for (const number of now.repository.pulls.keys())
        close(now.repository, number, { by: person("bob"), at: now.clock.now(), merged: true });
    },
  });
  expect(statusComments(rig).join()).not.toMatch(/closed|open it again|\/flotilla start`/);
  await tell(rig, pullClosed(rig, await pullOf(rig), { by: "bob", merged: true }));
  const [status = ""] = statusComments(rig);
  expect(status).toContain("Task: **MERGED**");
  expect(lastDecision(rig)).toMatch(/merged, #\d+ was merged by `?@bob`? — nothing: the work is done\.$/);
  await tell(rig, said(rig, 1, "/flotilla why"));
  expect(commentsOn(rig).at(-1)).toMatch(
    /^- .*: merged, #\d+ was merged by `?@bob`? \(merged\) → nothing: the work is done/m,
  );
});

it("of a pull request that was closed without a merge says so, with a way on that works", async () => {
  const rig = await approvedWork({ script: [onAttempt(1, 2, edit("again.ts"), commit, openPr, complete)] });
  await tell(rig, pullClosed(rig, await pullOf(rig), { by: "bob", merged: false }));
  expect(await stateOf(rig)).not.toBe("SLEEPING");
  expect(lastDecision(rig)).toMatch(
    /not merged, #\d+ was closed without a merge, by `@bob` — say `\/flotilla start`/,
  );
  await tell(rig, said(rig, 1, "/flotilla start feat-dev"));
  expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
  expect(lastDecision(rig)).not.toContain("closed");
});

it("says that no slot is free as long as none is", async () => {
  const settings = { runtime: { ...someSettings().runtime, maxConcurrentAgents: 1 } };
  const script = [on(1, blocked(3), after("awake", complete)), on(2, blocked(3))];
  const rig = await aRig({ settings, script });
  let told = "";
  rig.onCall = () => void (told ||= /.*no slot free.*/.exec(statusComments(rig, 2).join())?.[0] ?? "");
  await tell(rig, labeled(rig, 1), labeled(rig, 2));
  expect(told).toContain("no slot free");
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("SLEEPING");
  expect(statusComments(rig, 2).join()).toContain("waits for #3 to be closed");
  expect(lastDecision(rig, 2)).toBe("");
});

it("says why nothing starts until something does", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1, { personPull: 9 }));
  expect(lastDecision(rig)).toContain("#9 is a person's open pull request");
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(lastDecision(rig)).toBe("");
});

it("does not keep what was refused to a stranger", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla cancel", { by: "eve" }));
  await tell(rig, said(rig, 1, "/flotilla status"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(lastDecision(rig)).toBe("");
});

it.each([
  ["alice", "Feature 1, by email too"],
  ["eve", "Feature 1"],
])("calls the task as %s has called the issue where that person may steer", async (by, title) => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  Object.assign(issueOf(rig, 1), { title: "Feature 1, by email too" });
  await tell(rig, edited(rig, 1, "Do it by email.", { by }));
  expect((await taskOf(rig))?.title).toBe(title);
});

/** Gives what else moves the agent its turn before the moves are read. */
const slowly = <Of extends Pick<Tables, "transitions">>(tables: Of): Of => ({
  ...tables,
  transitions: {
    ...tables.transitions,
    async ofIssue(...args: Parameters<Tables["transitions"]["ofIssue"]>) {
      for (let n = 0; n < 200; n += 1) await turn();
      return tables.transitions.ofIssue(...args);
    },
  },
});

it("shows no move that is newer than the state beside it", async () => {
  const written: string[] = [];
  const rig = await aRig({
    script: [on(1, blocked(2), ...work)],
    wrapped: ({ store, github, ...given }) => ({
      ...given,
      store: { ...slowly(store), transaction: (act) => store.transaction((tables) => act(slowly(tables))) },
      github: {
        ...github,
        putComment(repository, issue, comment) {
          if (comment.key === "status") written.push(comment.body);
          return github.putComment(repository, issue, comment);
        },
      },
    }),
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const shown = written.map((body) => [
    /\| feat-dev \| \*\*(\w+)\*\*/.exec(body)?.[1],
    /^- .* agent .* → (\w+)/m.exec(body)?.[1],
  ]);
  expect(shown).toContainEqual(["SLEEPING", "SLEEPING"]);
  for (const [state, moved] of shown) expect(moved).toBe(state);
});

it("answers `why` with agents, work and decisions of one instant, whatever moves meanwhile", async () => {
  const asked = Promise.withResolvers<void>();
  const slowed = <Of extends Pick<Tables, "lists">>(tables: Of): Of => ({
    ...tables,
    lists: {
      ...tables.lists,
      async around(...args: Parameters<Tables["lists"]["around"]>) {
        const found = await tables.lists.around(...args);
        asked.resolve();
        // What else moves the agent gets its turn.
        for (let n = 0; n < 200; n += 1) await turn();
        return found;
      },
    },
  });
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const { store } = rig.context;
  const slow = {
    ...rig.context,
    store: {
      ...slowed(store),
      transaction: <T>(act: (tables: Tables) => Promise<T>) =>
        store.transaction((tables) => act(slowed(tables))),
    },
  };
  const cancelled = asked.promise.then(() => tell(rig, said(rig, 1, "/flotilla cancel")));
  const { status } = await issueStatusOf(slow, { repositoryId: REPOSITORY.id, issue: 1 });
  await cancelled;
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
  expect(status).toEqual([
    expect.stringContaining("feat-dev-issue-1 is SLEEPING"),
    expect.stringContaining("the work of #1 is CLAIMED"),
  ]);
});
