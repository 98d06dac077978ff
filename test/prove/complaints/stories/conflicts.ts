import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("first", "second", "third", "apart", "shared");
const CONFLICTING = ["first", "second", "third"] as const;
const FIX = "fixed by hand";

/** Writes the same line as others, and brings both together when it conflicts. */
const clashes = (name: string) => [
  runs(`printf '# app\\n${name}\\n' > README.md`),
  call("commit", { message: `Say ${name}` }),
  ...makes(`${name}.md`).slice(2),
  ...after("conflict with", [
    runs(`grep -v '^[<=>|]\\{7\\}' README.md > both.tmp; mv both.tmp README.md; cat README.md`),
    call("commit", { message: `Bring ${name} and the base together` }),
    call("report_complete", { summary: "Both are there." }),
  ]),
];

export const conflicts = story({
  played:
    "three pull requests that change the same line and are merged one after another, one that changes another file, and a branch to which a person pushes a fix",
  setting: () => ({
    config: { roles: CODERS, reconcile_every: "5s" },
    conversations: [
      ...CONFLICTING.map((name) => saysOn(issues[name], clashes(name))),
      saysOn(issues.apart, makes("apart.md")),
      saysOn(issues.shared, [
        runs("echo mine > shared.md"),
        call("commit", { message: "Write shared.md" }),
        call("open_pr", { title: "Write shared.md", body: "As asked." }),
        call("report_blocked", { blocker_issue: issues.apart, reason: "That comes first." }),
        ...after("go on, please", [
          runs("echo mine again > shared.md; rm -f theirs.md"),
          call("commit", { message: "Begin again" }),
          call("commit", { message: "Begin again" }),
          call("report_complete", { summary: "It is there." }),
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
    const messages = async (issue: number) =>
      (await scene.commits(`flotilla/feat-dev/issue-${issue}`)).map(({ message }) => message);
    const resolved = (name: (typeof CONFLICTING)[number]) =>
      scene.sees(async () =>
        (await messages(issues[name])).some((message) => message.startsWith(`Bring ${name}`)),
      );
    const turns = (name: keyof typeof issues) => scene.asked(issues[name]).length;

    await octocat.label(issues.shared, "feature");
    for (const name of [...CONFLICTING, "apart"] as const) {
      await octocat.label(issues[name], "feature");
      await scene.reaches(issues[name], ["COMPLETED"]);
    }
    const before = { second: turns("second"), third: turns("third"), apart: turns("apart") };
    await octocat.merge(pullOf(issues.first)?.number ?? 0);
    const second = await resolved("second");
    const waits = await scene.hears(issues.third, new RegExp(`#${issues.second} changes the same files`), 60);
    const thirdEarly = turns("third") - before.third;
    await scene.reaches(issues.second, ["COMPLETED"]);
    const secondText = await scene.file(`flotilla/feat-dev/issue-${issues.second}`, "README.md");
    await octocat.merge(pullOf(issues.second)?.number ?? 0);
    const third = await resolved("third");
    await scene.reaches(issues.third, ["COMPLETED"]);
    const thirdText = await scene.file(`flotilla/feat-dev/issue-${issues.third}`, "README.md");
    await octocat.merge(pullOf(issues.third)?.number ?? 0);
    await scene.quiet();
    const apartCalls = turns("apart") - before.apart;

    // A person pushes a fix to the branch of an agent that sleeps.
    const asleep = await scene.reaches(issues.shared, ["SLEEPING", "COMPLETED"]);
    const branch = asleep?.branch ?? `flotilla/feat-dev/issue-${issues.shared}`;
    const theirs = await octocat.push(branch, { "theirs.md": `${FIX}\n` }, "A fix of mine");
    const held = await scene.hears(issues.shared, /octocat pushed/);
    const atHold = turns("shared");
    await octocat.comment(issues.shared, "/flotilla resume");
    await octocat.comment(issues.shared, "@flotilla go on, please");
    await scene.sees(async () => {
      const agent = (await scene.agents(issues.shared)).at(-1);
      return turns("shared") > atHold && agent?.state !== "ACTIVE" && agent?.state !== "CREATED";
    });
    await scene.quiet();
    const apartMerged = await octocat.merge(pullOf(issues.apart)?.number ?? 0).then(
      () => true,
      () => false,
    );
    return {
      second,
      waits,
      thirdEarly,
      third,
      secondText,
      thirdText,
      attempts: (await Promise.all(CONFLICTING.map((name) => scene.agents(issues[name])))).map(
        (agents) => agents.length,
      ),
      resolutions: (await messages(issues.third)).filter((message) => message.startsWith("Bring third"))
        .length,
      bases: CONFLICTING.map((name) => pullOf(issues[name])?.pull.baseRef),
      merged: CONFLICTING.every((name) => pullOf(issues[name])?.pull.mergedBy != null),
      apartCalls,
      apartMerged,
      held,
      kept: (await scene.commits(branch)).some(({ sha }) => sha === theirs),
      forced: scene.pushes().filter(({ how }) => how !== ""),
      theirs: await scene.file(branch, "theirs.md"),
      sharedTold: scene.said(issues.shared).join("\n"),
      shared: (await scene.agents(issues.shared)).at(-1),
    };
  },
  checks: {
    34: ({ held, kept, theirs, sharedTold }) => ({
      holds: [
        [
          "a person's commit on an agent's branch holds the agent, until a person lets it go on",
          held !== null,
        ],
        ["the commit stays in the branch", kept],
      ],
      besides: [
        [
          "an agent that takes the person's change back after that does not succeed unseen",
          theirs?.trim() === FIX || /takes back|undoes/.test(sharedTold),
        ],
      ],
    }),
    35: ({ kept, forced }) => ({
      holds: [
        ["a person's commit on an agent's branch is never overwritten", kept],
        [`Flotilla forces ${forced.length} pushes`, forced.length === 0],
      ],
    }),
    54: ({ apartCalls, apartMerged }) => ({
      holds: [
        [
          `while the base moves three times, work that does not conflict costs ${apartCalls} calls of a model`,
          apartCalls === 0,
        ],
        ["and is merged as it is", apartMerged],
      ],
    }),
    55: ({ second, thirdEarly, waits, third, resolutions }) => ({
      holds: [
        ["after a merge, the older of two conflicting pull requests is resolved", second !== null],
        [`the other waits meanwhile, at ${thirdEarly} calls`, thirdEarly === 0],
        ["its issue says so", waits !== null],
        [
          `after the next merge it is resolved, ${resolutions} time in all`,
          third !== null && resolutions === 1,
        ],
      ],
    }),
    56: ({ merged, attempts, waits }) => ({
      holds: [
        ["work on the same files waits for the older work", waits !== null],
        ["all three are merged", merged],
        ["each by its one agent", attempts.every((count) => count <= 2)],
      ],
    }),
    57: ({ secondText, thirdText, bases }) => ({
      holds: [
        [
          "the agent that has the work resolves its conflict",
          secondText?.includes("first") === true && secondText.includes("second"),
        ],
        ["with what the other wanted", thirdText?.includes("second") === true && thirdText.includes("third")],
        ["no markers are left", !/<<<<<<<|>>>>>>>/.test(`${secondText}${thirdText}`)],
        ["against the branch that the pull request goes to", bases.every((base) => base === "main")],
      ],
    }),
  },
});
