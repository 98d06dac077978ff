import { CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const SLEEPERS = ["one", "two", "three", "four", "five", "six", "seven"] as const;
const issues = numbered(...SLEEPERS, "blocker", "worker");
/** Open issues that nobody works on. */
const OTHERS = 120;
const EVERY_S = 3;
const DEFAULT_EVERY_S = 300;
const ROUNDS = 6;
const HOURLY = 5_000;

export const requests = story({
  played:
    "seven agents that sleep, in a repository with more than a hundred open issues, which Flotilla looks at again and again; one that works; and a refusal of GitHub",
  setting: () => ({
    config: { roles: CODERS, reconcile_every: `${EVERY_S}s`, runtime: { max_concurrent_agents: 8 } },
    conversations: [
      ...SLEEPERS.map((name) =>
        saysOn(issues[name], [
          call("report_blocked", { blocker_issue: issues.blocker, reason: "That comes first." }),
        ]),
      ),
      saysOn(issues.worker, makes("worker.md")),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    github.webhooks.filter = () => "drop";
    for (let other = 0; other < OTHERS; other += 1)
      await octocat.openIssue({ title: `Wish ${other}`, body: "Some day." });
    github.webhooks.filter = () => "send";
    for (const name of SLEEPERS) await octocat.label(issues[name], "feature");
    for (const name of SLEEPERS) await scene.reaches(issues[name], ["SLEEPING"]);
    await scene.quiet();
    const ours = () => github.requests().filter(({ actor }) => actor.startsWith("flotilla"));
    const api = () => ours().filter(({ path }) => !path.includes(".git"));
    const began = Date.now();
    const first = api().length;
    await scene.sees(() => Date.now() - began > EVERY_S * ROUNDS * 1000);
    const swept = api().slice(first);
    const rounds = (Date.now() - began) / 1000 / EVERY_S;
    const counted = swept.filter(({ status }) => status !== 304).length;
    const anHour = Math.round((counted / rounds) * (3600 / DEFAULT_EVERY_S));

    await octocat.label(issues.worker, "feature");
    await scene.reaches(issues.worker, ["COMPLETED"]);
    const work = ours().length;

    // GitHub says that the hour is used up.
    github.refuseNext({ status: 403, resetIn: 8 });
    await octocat.comment(issues.worker, "/flotilla status");
    await scene.sees(() => ours().some(({ status }) => status === 403));
    const refusedAt = ours().length;
    await scene.sees(() => ours().length > refusedAt + 1, 60);
    await scene.quiet();
    const metrics = await fetch(new URL("/metrics", scene.dashboard()), {
      headers: { authorization: `Bearer ${new URL(scene.dashboard()).hash.slice(7)}` },
    }).then((answer) => answer.text());
    return {
      anHour,
      swept: swept.length,
      rounds,
      counted,
      lists: ours().filter(({ path }) => /^\/repos\/acme\/app\/issues$/.test(path)).length,
      graphql: ours().filter(({ path }) => path === "/graphql").length,
      work,
      violations: github.violations().length,
      refusals: ours().filter(({ status }) => status === 403).length,
      metrics,
    };
  },
  checks: {
    10: ({ anHour, counted, rounds }) => ({
      holds: [
        [
          `looking again at seven agents takes ${(counted / rounds).toFixed(1)} counted requests a time, ${anHour} an hour by default`,
          anHour < HOURLY / 4,
        ],
      ],
    }),
    69: ({ anHour, work, violations }) => ({
      holds: [
        [`seven agents that wait take ${anHour} requests an hour, of ${HOURLY}`, anHour < HOURLY / 2],
        [`the whole story took ${work}`, work < HOURLY / 4],
        [`GitHub's limits forbade ${violations}`, violations === 0],
      ],
    }),
    70: ({ lists }) => ({
      holds: [[`of ${OTHERS} other open issues, ${lists} lists are read`, lists === 0]],
    }),
    71: ({ graphql, work }) => ({
      holds: [[`of ${work} requests, ${graphql} are of the other pool, GraphQL`, graphql === 0]],
    }),
    72: ({ refusals, violations, metrics }) => ({
      holds: [
        ["what is left of the hour is measured", /^flotilla_github_points_left \d+/m.test(metrics)],
        [
          `after a refusal Flotilla waits as long as GitHub says: ${refusals} refusal`,
          refusals === 1 && violations === 0,
        ],
      ],
    }),
  },
});
