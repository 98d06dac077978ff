import { control } from "../../../../src/cli/control-client.ts";
import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import type { SeenAgent } from "../scene.ts";
import { story } from "../story.ts";

const MANY = ["one", "two", "three", "four", "five", "six"] as const;
const issues = numbered(...MANY, "sleeper", "blocker", "offline");
/** Comments that nobody has to act on, written while Flotilla is away. */
const IDLE_TALK = 60;

export const lost = story({
  played:
    "webhooks that do not arrive: every second one is lost, one that a sleeping agent waits for is lost, and Flotilla is away while people work",
  setting: () => ({
    config: { roles: CODERS, reconcile_every: "10s" },
    conversations: [
      ...MANY.map((name) => saysOn(issues[name], makes(`${name}.md`))),
      saysOn(issues.sleeper, [
        call("report_blocked", { blocker_issue: issues.blocker, reason: "That comes first." }),
        ...after("The issue that blocked you is resolved", makes("sleeper.md")),
      ]),
      saysOn(issues.offline, makes("offline.md")),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    const sweep = () => control(scene.dataDir, "/deliveries/sweep").catch(() => undefined);
    await opens(scene, issues);
    let turn = 0;
    let dropped = 0;
    github.webhooks.filter = () => {
      turn += 1;
      if (turn % 2 === 0) return "send";
      dropped += 1;
      return "drop";
    };
    for (const name of MANY) await octocat.label(issues[name], "feature");
    await octocat.label(issues.sleeper, "feature");
    github.webhooks.filter = () => "send";
    const done: (SeenAgent | null)[] = [];
    for (const name of MANY)
      done.push(
        await scene.sees(async () => {
          // Flotilla does so every ten minutes.
          await sweep();
          const agent = (await scene.agents(issues[name])).at(-1);
          return agent?.state === "COMPLETED" && agent;
        }),
      );
    const asleep = await scene.reaches(issues.sleeper, ["SLEEPING"]);
    // Nobody asks for deliveries here: what the agent waits for is read on GitHub.
    github.webhooks.filter = ({ event, action }) =>
      event === "issues" && action === "closed" ? "drop" : "send";
    await octocat.close(issues.blocker);
    const sleeper = await scene.reaches(issues.sleeper, ["COMPLETED"]);
    github.webhooks.filter = () => "send";
    await scene.quiet();

    await scene.served().stop("SIGKILL");
    github.setWebhook({ url: "http://127.0.0.1:9/", secret: "away" });
    await octocat.label(issues.offline, "feature");
    for (let time = 0; time < IDLE_TALK; time += 1) await octocat.comment(issues.one, `Well, ${time}.`);
    await github.webhooks.idle();
    const requests = scene.model.requests.length;
    await scene.restart("SIGKILL");
    const offline = await scene.sees(async () => {
      await sweep();
      const agent = (await scene.agents(issues.offline)).at(-1);
      return agent?.state === "COMPLETED" && agent;
    }, 180);
    await scene.quiet();
    return {
      dropped,
      done,
      each: await Promise.all(MANY.map((name) => scene.agents(issues[name]))),
      pulls: github.state().pulls().length,
      asleep,
      sleeper,
      offline,
      calls: scene.model.requests.length - requests,
      offlineCalls: scene.asked(issues.offline).length,
    };
  },
  checks: {
    21: ({ asleep, sleeper }) => ({
      holds: [
        ["an agent sleeps until another issue is closed", asleep !== null],
        ["the webhook of that is lost, and the agent wakes nevertheless", sleeper?.state === "COMPLETED"],
      ],
    }),
    66: ({ dropped, done, each }) => ({
      holds: [
        [`${dropped} webhooks are lost on their way`, dropped >= 4],
        ["all of the work that they began is done", done.every((agent) => agent?.state === "COMPLETED")],
        ["each by one agent", each.every((agents) => agents.length === 1)],
      ],
    }),
    67: ({ offline, calls, offlineCalls }) => ({
      holds: [
        [
          `after an outage with ${IDLE_TALK + 1} webhooks the one that matters is found`,
          offline?.state === "COMPLETED",
        ],
        ["the others ask no model anything", calls === offlineCalls],
      ],
    }),
    68: ({ offline, pulls, done }) => ({
      holds: [
        ["what happened while Flotilla was away is done after its start", offline !== null],
        [`and nothing twice: ${pulls} pull requests`, pulls === done.length + 2],
      ],
    }),
  },
});
