import { CODERS, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("tried");

export const observed = story({
  played: "an agent works at level `observe`",
  setting: () => ({
    config: { roles: CODERS, level: "observe" },
    conversations: [saysOn(issues.tried, makes("tried.md"))],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    await octocat.label(issues.tried, "feature");
    const agent = await scene.reaches(issues.tried, ["COMPLETED"]);
    await scene.quiet();
    const ours = github
      .requests()
      .filter(({ actor, method }) => actor !== "octocat" && !["GET", "HEAD"].includes(method))
      .map(({ path }) => path)
      .filter((path) => !/access_tokens$|git-upload-pack$/.test(path));
    const { stdout } = await scene.command("explain", `acme/app#${issues.tried}`);
    return { agent, ours, said: scene.said(issues.tried), stdout };
  },
  checks: {
    88: ({ agent, ours, said, stdout }) => ({
      holds: [
        ["the agent does its work to the end", agent?.state === "COMPLETED"],
        [`GitHub gets ${ours.length} writes`, ours.length === 0 && said.length === 0],
        ["and people read what would have been done", stdout.includes("would open a pull request")],
      ],
    }),
  },
});
