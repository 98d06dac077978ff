import { expect, it } from "vitest";
import { mergeCommits } from "../../../src/demo/github/git/merge.ts";
import { git } from "../../../src/demo/github/git/run.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();

it("merges many pull requests at the same time, and leaves no worktree behind", async () => {
  const octocat = ground.github.as("octocat");
  await octocat.push("topic", { "topic.txt": "one\n" }, "Work");
  const { directory } = ground.github.state().repository;
  const [base, head] = await Promise.all(
    ["main", "topic"].map((name) => git(directory, ["rev-parse", name])),
  );
  const author = { name: "Octocat", email: "octocat@example.com", at: 0 };
  const merge = { base: base ?? "", head: head ?? "", method: "merge" as const, message: "Merge", author };
  const made = await Promise.all(Array.from({ length: 8 }, () => mergeCommits(directory, merge)));
  expect(new Set(made).size).toBe(1);
  expect(await git(directory, ["worktree", "list", "--porcelain"])).not.toContain("flotilla-merge-");
});
