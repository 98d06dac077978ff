import { beforeAll, describe, expect, it } from "vitest";
import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import { parseMarker } from "../../src/domain/messages/marker.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import { bodiesOf, type GitHubWorld, newBranch, newIssue, pullOf } from "./github-world.ts";

const status = (key: string, body: string, knownId?: number) => ({ key, body, knownId });

/** How our comments behave. `made` gives the world once it stands. */
export function commentContract(made: () => GitHubWorld): void {
  let world: GitHubWorld;
  let github: GitHub;
  let here: RepositoryRef;
  beforeAll(() => {
    world = made();
    ({ github, repository: here } = world);
  });

  describe("a comment of ours", () => {
    it("is one per key, edited in place, with or without its id", async () => {
      const number = await newIssue(world);
      const first = await github.putComment(here, number, status("status", "Working."));
      const second = await github.putComment(here, number, status("status", "Waiting."));
      const third = await github.putComment(here, number, status("status", "Done.", first.id));
      expect([second.id, third.id]).toEqual([first.id, first.id]);
      const [body, ...others] = await bodiesOf(world, number);
      expect(body).toMatch(/^Done\.\n\n<!-- flotilla:v1 key=status mac=\w+ -->$/);
      expect(others).toEqual([]);
    });

    it("stands beside those of other keys", async () => {
      const number = await newIssue(world);
      const one = await github.putComment(here, number, status("one", "One."));
      const two = await github.putComment(here, number, status("two", "Two.", one.id));
      expect(two.id).not.toBe(one.id);
      expect(await bodiesOf(world, number)).toHaveLength(2);
    });

    it("is not written again when nothing has changed", async () => {
      const number = await newIssue(world);
      const { id } = await github.putComment(here, number, status("status", "Same."));
      const before = world.writes();
      await github.putComment(here, number, status("status", "Same."));
      await github.putComment(here, number, status("status", "Same.", id));
      expect(world.writes()).toBe(before);
    });

    it("is not what a person copied from us", async () => {
      const number = await newIssue(world);
      const ours = await github.putComment(here, number, status("status", "Ours."));
      const other = await newIssue(world);
      const copied = await world.comment(other, (await bodiesOf(world, number))[0] ?? "");
      const put = await github.putComment(here, other, status("status", "Ours again."));
      expect(put.id).not.toBe(copied);
      expect(put.id).not.toBe(ours.id);
    });

    it("holds no marker but its own, whatever the text brings along", async () => {
      const number = await newIssue(world);
      await github.putComment(here, number, status("first", "First."));
      const stolen = (await bodiesOf(world, number))[0] ?? "";
      await github.putComment(here, number, status("second", `Quoting ${stolen}`));
      const [, second = ""] = await bodiesOf(world, number);
      expect(second.match(/flotilla:v1/g)).toHaveLength(1);
      expect(parseMarker(second)?.key).toBe("second");
    });

    it.each(["before", "after"] as const)(
      "is there once when the answer to it was lost %s it was made",
      async (when) => {
        const number = await newIssue(world);
        world.loseNextWrite("putComment", when);
        const lost = github.putComment(here, number, status("status", "Once."));
        await expect(lost).rejects.toMatchObject({ consequence: "retry", uncertain: true });
        await github.putComment(here, number, status("status", "Once."));
        expect(await bodiesOf(world, number)).toHaveLength(1);
      },
    );

    it("tells the reactions to it, and whose they are", async () => {
      const number = await newIssue(world);
      const { id } = await github.putComment(here, number, status("status", "Which one?"));
      expect(await github.reactions(here, id)).toEqual([]);
      await github.react(here, id, "+1");
      await github.react(here, id, "eyes");
      const { botId, botLogin } = await github.identity();
      const user = { id: botId, login: botLogin, type: "Bot" };
      expect(await github.reactions(here, id)).toEqual([
        { content: "+1", user },
        { content: "eyes", user },
      ]);
    });

    it("can be on a pull request too", async () => {
      const { number } = await github.openPullRequest(here, pullOf(await newBranch(world)));
      await github.putComment(here, number, status("status", "On a pull request."));
      expect(await bodiesOf(world, number)).toHaveLength(1);
    });
  });
}
