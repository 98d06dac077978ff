import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered(
  "liar",
  "tester",
  "markers",
  "pushed",
  "doubled",
  "release",
  "stripped",
  "forcer",
  "guarded",
  "whole",
);
const DONE = call("report_complete", { summary: "It is done." });
const [, commits, , reports] = makes("late.md");
const BROKEN = "broken.md";

export const claims = story({
  played:
    "what agents claim, and what GitHub does meanwhile: a claim without work, a failing acceptance command, conflict markers, pushes that GitHub refuses, an answer that is lost, another base branch, a stripped `Closes`, a forced push, a protected file",
  setting: () => ({
    config: {
      roles: CODERS,
      evidence: { commands: [`test ! -e ${BROKEN}`] },
      bases: ["release-*"],
      policy: { protected_paths: ["licence.md"] },
      reconcile_every: "30s",
    },
    conversations: [
      saysOn(issues.liar, [DONE, DONE, DONE, DONE, DONE, DONE]),
      saysOn(issues.tester, [
        ...makes(BROKEN),
        runs(`rm ${BROKEN} && echo fine > fine.md`),
        call("commit", { message: "Mend it" }),
        DONE,
      ]),
      saysOn(issues.markers, [
        runs("printf '<<<<<<< ours\\na\\n=======\\nb\\n>>>>>>> theirs\\n' >> README.md"),
        call("commit", { message: "Resolve the conflicts" }),
        runs("printf '# app\\nboth\\n' > README.md"),
        ...makes("resolved.md").slice(1),
      ]),
      saysOn(issues.pushed, [
        runs("echo late > late.md"),
        ...[commits, ...makes("late.md").slice(2, 3), reports].flatMap((step) => step ?? []),
      ]),
      saysOn(issues.doubled, makes("doubled.md")),
      saysOn(issues.release, makes("patch.md")),
      saysOn(issues.stripped, makes("stripped.md")),
      saysOn(issues.forcer, [
        runs(
          "echo x > x.md && git add -A && git commit -qm x; git push --force origin HEAD:main; echo ended $?",
        ),
        runs("git push --force-with-lease; git remote -v; cat .git/config; echo ended $?"),
        ...makes("forcer.md"),
      ]),
      saysOn(issues.guarded, [
        ...makes("licence.md").slice(0, 2),
        { say: "I wait." },
        ...after("lets this call pass once", makes("licence.md").slice(1)),
      ]),
      saysOn(issues.whole, makes("whole.md")),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    await octocat.push("release-1", { "RELEASE.md": "# 1\n" }, "Release 1");
    const [main] = await scene.commits("main");
    const pullsOf = (issue: number) =>
      github
        .state()
        .pulls()
        .filter(({ pull }) => pull.headRef.endsWith(`issue-${issue}`));
    const allDone = ["COMPLETED", "ESCALATED", "FAILED"];

    await octocat.label(issues.liar, "feature");
    await octocat.label(issues.tester, "feature");
    await octocat.label(issues.markers, "feature");
    await octocat.label(issues.forcer, "feature");
    await octocat.comment(issues.release, "/flotilla start feat-dev on release-1");
    const [liar, tester, markers, forcer, release] = [
      await scene.reaches(issues.liar, allDone),
      await scene.reaches(issues.tester, allDone),
      await scene.reaches(issues.markers, allDone),
      await scene.reaches(issues.forcer, allDone),
      await scene.reaches(issues.release, allDone),
    ];
    const asked = await scene.hears(issues.liar, /Pull request|pull request|evidence|commit/);
    const tested =
      tester === null ? {} : await scene.read(`/api/agents/${encodeURIComponent(tester.key)}/evidence`);

    // The answer to the request that opens a pull request is lost.
    github.faults.add({ method: "POST", path: /\/repos\/acme\/app\/pulls$/, kind: "reset-after" });
    await octocat.label(issues.doubled, "feature");
    const doubled = await scene.reaches(issues.doubled, allDone);

    // And pushes are refused for a while.
    github.faults.add({
      path: /acme\/app(?:\.git)?\/(?:git-receive-pack|info\/refs)/,
      kind: "status",
      status: 503,
      times: 10_000,
    });
    await octocat.label(issues.pushed, "feature");
    const waits = await scene.hears(issues.pushed, /waits to try again|cannot be reached|unavailable/);
    const early = {
      pulls: pullsOf(issues.pushed).length,
      state: (await scene.agents(issues.pushed)).at(-1)?.state,
      said: scene.said(issues.pushed).join("\n"),
    };
    github.faults.clear();
    await octocat.comment(issues.pushed, "/flotilla retry");
    const pushed = await scene.reaches(issues.pushed, allDone);

    await octocat.label(issues.stripped, "feature");
    const stripped = await scene.reaches(issues.stripped, allDone);
    const [pull] = pullsOf(issues.stripped);
    const closes = pull?.body ?? "";
    await octocat.edit(pull?.number ?? 0, { body: "Merge me." });
    await octocat.merge(pull?.number ?? 0);
    const merged = await scene.sees(() => github.state().labels(issues.stripped).includes("flotilla:merged"));
    await octocat.label(issues.guarded, "feature");
    const guarded = await scene.sees(async () => {
      const agent = (await scene.agents(issues.guarded)).at(-1);
      return agent?.sleep_reason === "approval" && agent;
    });
    const guardedPulls = pullsOf(issues.guarded).length;
    const guardedCalls = scene.model.requests.length;
    await octocat.comment(issues.guarded, "/flotilla approve");
    const approved = await scene.reaches(issues.guarded, allDone);
    await octocat.label(issues.whole, "feature");
    const whole = await scene.reaches(issues.whole, allDone);
    await scene.restart("SIGTERM");
    await scene.quiet();
    const [wholePull] = pullsOf(issues.whole);
    const ledger = await scene.command("ledger", "--by", "issue", "--json");
    return {
      liar,
      liarPulls: pullsOf(issues.liar).length,
      liarLabels: github.state().labels(issues.liar),
      asked,
      tester,
      testerPull: pullsOf(issues.tester)[0],
      tested: JSON.stringify(tested),
      markers,
      markersText: await scene.file(`flotilla/feat-dev/issue-${issues.markers}`, "README.md"),
      refused: scene
        .asked(issues.markers)
        .some(({ messages }) => /conflict marker/i.test(messages.at(-1)?.content ?? "")),
      release,
      releaseBase: pullsOf(issues.release)[0]?.pull.baseRef,
      doubled,
      doubledPulls: pullsOf(issues.doubled).length,
      waits,
      early,
      pushed,
      pushedPulls: pullsOf(issues.pushed).length,
      stripped,
      closes,
      merged,
      strippedAgents: await scene.agents(issues.stripped),
      forcer,
      forced: scene.pushes().filter(({ how, ref }) => how !== "" || ref === "refs/heads/main"),
      forcerHeard:
        scene
          .asked(issues.forcer)
          .at(-1)
          ?.messages.filter(({ role }) => role === "tool")
          .map(({ content }) => content)
          .join("\n") ?? "",
      mainBefore: main?.sha,
      mainHas: (await scene.commits("main")).some(({ sha }) => sha === main?.sha),
      guarded,
      guardedPulls,
      guardedCalls,
      otherCalls: scene.model.requests.filter(
        ({ messages }) => !messages.some(({ content }) => content.includes("Work on issue #")),
      ).length,
      approved,
      whole,
      wholePull,
      message: (await scene.commits(wholePull?.pull.headRef ?? "main"))[0]?.message ?? "",
      ledger: ledger.stdout,
    };
  },
  checks: {
    24: ({ liar, liarPulls, liarLabels, asked }) => ({
      holds: [
        ["a claim without work is sent back, and a person is asked in the end", liar?.state === "ESCALATED"],
        ["no pull request is there", liarPulls === 0],
        ["no label says that it is ready", !liarLabels.includes("flotilla:ready-for-review")],
        ["the issue says what is missing", asked !== null],
      ],
    }),
    25: ({ markers, markersText, refused }) => ({
      holds: [
        ["a commit with conflict markers is refused", refused],
        ["what arrives has none", markersText !== null && !markersText.includes("<<<<<<<")],
        ["and the work completes", markers?.state === "COMPLETED"],
      ],
    }),
    26: ({ waits, early, pushed, pushedPulls }) => ({
      holds: [
        ["while pushes fail, the issue says so", waits !== null],
        ["no comment says that it is done", !/is done|COMPLETED|Ready for review/.test(early.said)],
        ["and there is no pull request", early.pulls === 0],
        ["once pushes succeed, it completes", pushed?.state === "COMPLETED"],
        [`with ${pushedPulls} pull request`, pushedPulls === 1],
      ],
    }),
    27: ({ release, releaseBase, doubled, doubledPulls, liar }) => ({
      holds: [
        [
          "work for a release goes to that branch",
          release?.state === "COMPLETED" && releaseBase === "release-1",
        ],
        [
          `an answer that is lost leaves ${doubledPulls} pull request`,
          doubled?.state === "COMPLETED" && doubledPulls === 1,
        ],
        ["no claim is success without a pull request", liar?.state !== "COMPLETED"],
      ],
    }),
    28: ({ whole, wholePull }) => ({
      holds: [
        [
          "completed work has a pull request, opened by the host",
          whole?.state === "COMPLETED" && wholePull !== undefined,
        ],
        ["on the issue's own branch", wholePull?.pull.headRef === `flotilla/feat-dev/issue-${issues.whole}`],
      ],
    }),
    29: ({ tester, testerPull, tested }) => ({
      holds: [
        [
          "work whose acceptance command fails is sent back",
          tester?.state === "COMPLETED" && tested.includes('"holds":false'),
        ],
        ["the record has the command", tested.includes(`test ! -e ${BROKEN}`)],
        ["its exit code", /"exit_code":1/.test(tested)],
        ["and the commit it ran on", /"commit":"[0-9a-f]{40}"/.test(tested)],
        ["the pull request names the command", testerPull?.body?.includes(`test ! -e ${BROKEN}`) === true],
      ],
    }),
    30: ({ closes, merged, strippedAgents }) => ({
      holds: [
        ["the pull request closes its issue", closes.includes(`Closes #${issues.stripped}`)],
        ["where a person strips that and merges, the work counts as merged", merged !== null],
        [
          `and ${strippedAgents.length} agent has worked on it, also after a restart`,
          strippedAgents.length === 1,
        ],
      ],
    }),
    36: ({ forced, forcer, mainHas, forcerHeard }) => ({
      holds: [
        ["an agent's forced pushes reach nothing", forced.length === 0 && mainHas],
        ["its shell tells it that they failed", /ended (?!0)\d+/.test(forcerHeard)],
        ["and its work completes the usual way", forcer?.state === "COMPLETED"],
      ],
    }),
    76: ({ guarded, guardedPulls, approved, otherCalls }) => ({
      holds: [
        ["a commit to a protected path waits for a person", guarded !== null && guardedPulls === 0],
        ["no other model is asked to judge it", otherCalls === 0],
        ["after the person's word it goes on", approved?.state === "COMPLETED"],
      ],
    }),
    87: ({ message, ledger }) => ({
      holds: [
        ["commits have trailers that name agent and run", /^Flotilla-\S+: \S/m.test(message)],
        ["they name who asked", /Co-authored-by: .*octocat/i.test(message)],
        ["the ledger has the same issue with its cost", ledger.includes(`#${issues.whole}`)],
      ],
    }),
  },
});
