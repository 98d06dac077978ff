import { describe, expect, it } from "vitest";
import { createGroupCommit } from "../../src/webhooks/receive/webhook-route.ts";

/** Commits that are under way until the test ends them. */
function heldCommits() {
  const groups: (readonly number[])[] = [];
  const held: PromiseWithResolvers<void>[] = [];
  let begun = Promise.withResolvers<void>();
  return {
    groups,
    commit: (items: readonly number[]): Promise<void> => {
      groups.push(items);
      const done = Promise.withResolvers<void>();
      held.push(done);
      begun.resolve();
      begun = Promise.withResolvers<void>();
      return done.promise;
    },
    nextBegins: () => begun.promise,
    end: () => held.shift()?.resolve(),
    fail: (error: Error) => held.shift()?.reject(error),
  };
}

describe("group commit", () => {
  it("makes one commit of what arrives in one turn, and one of all that arrives meanwhile", async () => {
    const commits = heldCommits();
    const { add } = createGroupCommit(commits.commit);
    const first = [add(1), add(2)];
    await commits.nextBegins();
    const second = [add(3), add(4), add(5)];
    const begins = commits.nextBegins();
    commits.end();
    await Promise.all(first);
    await begins;
    commits.end();
    await Promise.all(second);
    expect(commits.groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it("resolves nobody before their own commit ended", async () => {
    const commits = heldCommits();
    const { add } = createGroupCommit(commits.commit);
    const settled: number[] = [];
    const first = add(1).then(() => settled.push(1));
    await commits.nextBegins();
    const second = add(2).then(() => settled.push(2));
    const begins = commits.nextBegins();
    expect(settled).toEqual([]);
    commits.end();
    await first;
    await begins;
    expect(settled).toEqual([1]);
    commits.end();
    await second;
    expect(settled).toEqual([1, 2]);
  });

  it("rejects everybody of a group that failed, and continues with the next", async () => {
    const commits = heldCommits();
    const { add } = createGroupCommit(commits.commit);
    const first = Promise.allSettled([add(1), add(2)]);
    await commits.nextBegins();
    const later = add(3);
    const begins = commits.nextBegins();
    commits.fail(new Error("disk full"));
    expect((await first).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await begins;
    commits.end();
    await expect(later).resolves.toBeUndefined();
    const begun = commits.nextBegins();
    const last = add(4);
    await begun;
    commits.end();
    await expect(last).resolves.toBeUndefined();
  });

  it("splits what is more than its limit", async () => {
    const groups: number[] = [];
    const { add } = createGroupCommit<number>(async (items) => void groups.push(items.length), 2);
    await Promise.all([1, 2, 3, 4, 5].map(add));
    expect(groups).toEqual([2, 2, 1]);
  });
});
