import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, REVIEWER, reviewer, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("argued", "liked", "unseen", "person");
const ROUNDS = 2;
const REVIEWED = call("request_review", { summary: "It is there." });
const again = (place: number) => [
  runs(`echo ${place} >> argued.md`),
  call("commit", { message: `Try ${place}` }),
  REVIEWED,
];
const BROKEN = { status: 400, message: "no such model" };
const of = (issue: number, found: ReturnType<typeof reviewer>) => ({
  ...found,
  match: `You are reviewer\\..*Review commit .*#${issue}\\b`,
});

export const reviewed = story({
  played:
    "reviews: a reviewer that is never content, one that approves while each webhook comes twice, one whose model fails, and a person who requests changes; Flotilla merges what is approved",
  setting: () => ({
    config: {
      roles: { ...CODERS, reviewer: REVIEWER },
      review: { required: true, max_cycles: ROUNDS },
      merge: { auto: true },
      level: "merge",
    },
    conversations: [
      of(issues.argued, reviewer("reject")),
      of(issues.liked, reviewer("approve")),
      { match: `You are reviewer\\..*Review commit .*#${issues.unseen}\\b`, steps: [{ error: BROKEN }] },
      of(issues.person, { ...reviewer("approve"), steps: [{ delayMs: 3_600_000, say: "Well." }] }),
      saysOn(
        issues.argued,
        [...makes("argued.md").slice(0, 3), REVIEWED, ...after("is still not what the issue asks", again(1))],
        undefined,
      ),
      saysOn(issues.liked, [...makes("liked.md").slice(0, 3), REVIEWED]),
      saysOn(issues.unseen, [...makes("unseen.md").slice(0, 3), REVIEWED]),
      saysOn(issues.person, [
        ...makes("person.md").slice(0, 3),
        REVIEWED,
        ...after("Say why", [
          runs("echo because >> person.md"),
          call("commit", { message: "Say why" }),
          REVIEWED,
        ]),
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
    const label = (issue: number, name: string) =>
      scene.sees(() => github.state().labels(issue).includes(name));

    github.webhooks.filter = () => "twice";
    await octocat.label(issues.liked, "feature");
    const merged = await label(issues.liked, "flotilla:merged");
    github.webhooks.filter = () => "send";
    const liked = pullOf(issues.liked);

    await octocat.label(issues.argued, "feature");
    await octocat.label(issues.unseen, "feature");
    const deadlock = await scene.hears(issues.argued, /rejected|reject/);
    const blocked = await label(issues.argued, "needs-human");
    await scene.sees(() => github.state().labels(issues.argued).includes("flotilla:blocked"));
    const unseenMarked = await label(issues.unseen, "needs-human");
    const reviewers = await scene.sees(async () => {
      const agents = await scene.agents(issues.unseen, "reviewer");
      return (
        agents.length > 0 && agents.every(({ state }) => ["FAILED", "CANCELLED"].includes(state)) && agents
      );
    });

    await octocat.label(issues.person, "feature");
    await scene.sees(() => pullOf(issues.person) !== undefined);
    const asleep = await scene.reaches(issues.person, ["SLEEPING"], "feat-dev");
    await octocat.label(issues.person, "bug");
    const before =
      scene
        .asked(issues.person)
        .filter(({ messages }) => messages[0]?.content.includes("feat-dev"))
        .at(-1)?.messages ?? [];
    const pull = pullOf(issues.person);
    await octocat.review(pull?.number ?? 0, { event: "REQUEST_CHANGES", body: "Say why." });
    const answered = await scene.sees(async () => {
      const [commit] = await scene.commits(pull?.pull.headRef ?? "main");
      return commit?.message.startsWith("Say why") === true && commit;
    });
    await scene.quiet();
    const later =
      scene
        .asked(issues.person)
        .filter(({ messages }) => messages.some(({ content }) => content.includes("Say why")))
        .at(0)?.messages ?? [];
    const coder = await scene.agents(issues.person, "feat-dev");
    const verdicts = (issue: number) =>
      scene.writes.filter(
        ({ method, path }) =>
          method === "POST" && path.endsWith(`/pulls/${pullOf(issue)?.number ?? 0}/reviews`),
      ).length;
    const argued = await scene.agents(issues.argued, "reviewer");
    const unseen = pullOf(issues.unseen);
    return {
      merged,
      likedReviewers: (await scene.agents(issues.liked, "reviewer")).length,
      likedVerdicts: verdicts(issues.liked),
      likedBy: liked?.pull.mergedBy?.login,
      deadlock,
      blocked,
      arguedRounds: argued.length,
      tools: [...new Set(scene.model.requests.flatMap(({ tools }) => tools))],
      unseenMarked,
      reviewers,
      unseenMerged: unseen?.pull.mergedBy ?? null,
      unseenGreen: github
        .state()
        .repository.checkRuns.some(
          ({ name, conclusion, headSha }) =>
            name === "flotilla/review" && conclusion === "success" && headSha === unseen?.pull.headSha,
        ),
      asleep,
      answered,
      kept: before.length > 2 && JSON.stringify(later.slice(0, before.length)) === JSON.stringify(before),
      coder,
      pulls: github
        .state()
        .pulls()
        .filter(({ pull: { headRef } }) => headRef.endsWith(`issue-${issues.person}`)).length,
      bugFix: (await scene.agents(issues.person, "bug-fix")).length,
    };
  },
  checks: {
    5: ({ deadlock, blocked, arguedRounds, tools }) => ({
      holds: [
        [
          `a reviewer that is never content and its coder stop after ${arguedRounds} rounds`,
          arguedRounds <= ROUNDS + 1 && arguedRounds > 0,
        ],
        ["then a person decides", deadlock !== null && blocked !== null],
        [
          "no tool lets an agent write to another",
          !tools.some((name) => /message|send|talk|chat/.test(name)),
        ],
      ],
    }),
    23: ({ asleep, bugFix, coder, answered }) => ({
      holds: [
        ["while its pull request is open, the issue has its agent", asleep !== null && coder.length === 1],
        ["a label of another role starts no other", bugFix === 0],
        ["and what reviewers ask goes to that agent", answered !== null],
      ],
    }),
    48: ({ merged, likedReviewers, likedVerdicts }) => ({
      holds: [
        ["work is reviewed and merged while each webhook comes twice", merged !== null],
        [
          `by ${likedReviewers} reviewer with ${likedVerdicts} review`,
          likedReviewers === 1 && likedVerdicts <= 1,
        ],
      ],
    }),
    53: ({ reviewers, unseenMerged, unseenGreen, unseenMarked }) => ({
      holds: [
        ["a reviewer whose model fails gives no verdict", reviewers !== null],
        ["its check is not green", !unseenGreen],
        ["nothing is merged unreviewed, though Flotilla merges what is approved", unseenMerged === null],
        ["and a person is asked", unseenMarked !== null],
      ],
    }),
    81: ({ kept, coder, pulls, answered }) => ({
      holds: [
        ["requested changes reach the same conversation, with all that was said before", kept],
        ["of the same agent", coder.length === 1],
        [`with ${pulls} pull request`, pulls === 1 && answered !== null],
      ],
    }),
  },
});
