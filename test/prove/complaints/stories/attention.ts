import { CODERS, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("one", "two", "three");

export const attention = story({
  played: "three pieces of work where two pull requests may wait for people; then people merge one",
  setting: () => ({
    config: { roles: CODERS, attention: { open_prs: 2 }, reconcile_every: "5s" },
    conversations: [
      saysOn(issues.one, makes("one.md")),
      saysOn(issues.two, makes("two.md")),
      saysOn(issues.three, makes("three.md")),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    for (const issue of [issues.one, issues.two]) {
      await octocat.label(issue, "feature");
      await scene.reaches(issue, ["COMPLETED"]);
    }
    await octocat.label(issues.three, "feature");
    const told = await scene.hears(issues.three, /pull requests/);
    await scene.quiet();
    const early = {
      pulls: github.state().pulls().length,
      agent: (await scene.agents(issues.three)).at(-1),
      calls: scene.asked(issues.three).length,
    };
    const pushes = scene.pushes().length;
    const [pull] = github.state().pulls();
    await octocat.merge(pull?.number ?? 0);
    const three = await scene.reaches(issues.three, ["COMPLETED"]);
    const defaults = await scene.read("/api/settings?limit=500");
    return { told, early, pushes, three, settings: JSON.stringify(defaults) };
  },
  checks: {
    49: ({ told, early, three }) => ({
      holds: [
        [
          `with two pull requests open, a third piece of work stays ${early.agent?.state ?? "?"}`,
          early.agent?.state === "CREATED" && early.calls === 0,
        ],
        ["its issue says which wait", told !== null],
        ["it begins when people have merged one", three?.state === "COMPLETED"],
      ],
    }),
    50: ({ early, settings }) => ({
      holds: [
        ["the number of open pull requests has a cap", early.pulls === 2],
        ["which is a setting", settings.includes("attention.open_prs")],
      ],
    }),
    51: ({ early, three }) => ({
      holds: [
        ["agents wait while reviewers have their hands full", early.calls === 0],
        ["and go on by themselves", three !== null],
      ],
    }),
    52: ({ early, pushes, settings }) => ({
      holds: [
        ["no more pull requests wait than people want", early.pulls === 2],
        [`CI runs once for a piece of work: ${pushes} pushes of two`, pushes <= 2],
      ],
      besides: [["a setting limits the minutes of CI", /ci_minutes|max_minutes/.test(settings)]],
    }),
  },
});
