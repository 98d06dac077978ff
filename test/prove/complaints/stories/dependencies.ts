import { CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("five", "six", "seven", "eight", "parts", "both");
const WAITED_FOR = ["five", "six", "seven"] as const;
const OTHER = "lib";

export const dependencies = story({
  played:
    "an issue that GitHub says is blocked by three others, one in a repository with a submodule, and one that needs a change in another repository too",
  setting: () => ({
    config: { roles: CODERS, reconcile_every: "5s" },
    beside: [{ name: OTHER, private: true, files: { "README.md": "# lib\n" } }],
    conversations: [
      ...WAITED_FOR.map((name) => saysOn(issues[name], makes(`${name}.md`))),
      saysOn(issues.eight, makes("eight.md")),
      saysOn(issues.parts, [runs("echo files=$(ls -A vendor 2>/dev/null | wc -l)"), ...makes("parts.md")]),
      saysOn(issues.both, [
        runs(`git clone ../${OTHER} 2>&1; git ls-remote https://github.com/acme/${OTHER} 2>&1; true`),
        call("create_blocker_issue", { title: "Change lib", body: "For both.", repository: `acme/${OTHER}` }),
        ...makes("both.md"),
      ]),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    const pullOf = (issue: number) =>
      github
        .state()
        .pulls()
        .find(({ pull }) => pull.headRef.endsWith(`issue-${issue}`));
    for (const name of WAITED_FOR) {
      const { id } = await octocat.call("GET", `/issues/${issues[name]}`);
      await octocat.call("POST", `/issues/${issues.eight}/dependencies/blocked_by`, { issue_id: id });
    }
    await octocat.label(issues.eight, "feature");
    const waits = await scene.hears(issues.eight, /#1|#2|#3/);
    const states: (string | undefined)[] = [];
    for (const name of WAITED_FOR) {
      states.push((await scene.agents(issues.eight)).at(-1)?.state);
      await octocat.label(issues[name], "feature");
      await scene.reaches(issues[name], ["COMPLETED"]);
      await octocat.merge(pullOf(issues[name])?.number ?? 0);
      await scene.sees(() => github.state().issue(issues[name]).state === "closed");
    }
    const eight = await scene.reaches(issues.eight, ["COMPLETED"]);

    await octocat.label(issues.both, "feature");
    const both = await scene.reaches(issues.both, ["COMPLETED", "ESCALATED", "SLEEPING"]);
    await octocat.push(
      "main",
      { ".gitmodules": '[submodule "vendor"]\n\tpath = vendor\n\turl = ../lib.git\n' },
      "Take lib in",
    );
    await octocat.label(issues.parts, "feature");
    const parts = await scene.reaches(issues.parts, ["COMPLETED", "ESCALATED"]);
    await scene.quiet();
    const inOther = github.state(`acme/${OTHER}`).pulls().length;
    return {
      waits,
      states,
      eight,
      both,
      inOther,
      parts,
      told: (await scene.decisions(issues.parts)).some(({ rule }) => rule === "submodules"),
      saw: scene.asked(issues.parts).at(1)?.messages.at(-1)?.content ?? "",
    };
  },
  checks: {
    83: ({ waits, states, eight }) => ({
      holds: [
        ["an issue that is blocked by three others says so", waits !== null],
        [
          "it does not start before the last is merged",
          states.every((state) => state === "CREATED" || state === undefined),
        ],
        ["then it starts by itself and completes", eight?.state === "COMPLETED"],
      ],
    }),
    84: ({ told, saw, parts }) => ({
      holds: [
        [
          "an agent finds the files of a submodule in its worktree",
          parts !== null && /files=[1-9]/.test(saw),
        ],
      ],
      besides: [["people are told that submodules are empty", told]],
    }),
    85: ({ both, inOther }) => ({
      holds: [["work on one issue changes two repositories", both?.state === "COMPLETED" && inOther > 0]],
    }),
  },
});
