import { after, CODERS, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const CHECK = "build";
const issues = numbered("flaky", "base", "held");

export const ci = story({
  played:
    "a required check that fails now and then, one that fails on the base branch too and a run that GitHub holds back",
  setting: () => ({
    config: {
      roles: CODERS,
      evidence: { required_checks: [CHECK] },
      reconcile_every: "5s",
    },
    conversations: [
      saysOn(issues.flaky, [...makes("flaky.md"), ...after("failed", makes("again.md").slice(0, 2))]),
      saysOn(issues.base, [...makes("base.md"), ...after("failed", makes("again.md").slice(0, 2))]),
      saysOn(issues.held, makes("held.md")),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    const waitsForChecks = async (issue: number) => {
      await octocat.label(issue, "feature");
      await scene.sees(async () => (await scene.agents(issue)).at(-1)?.sleep_reason === "checks");
      return github
        .state()
        .pulls()
        .find(({ pull }) => pull.headRef.endsWith(`issue-${issue}`));
    };
    const job = (commit: string, conclusion: "success" | "failure") =>
      octocat.runJob(commit, { name: CHECK, conclusion, step: "npm test", log: "Error: it flickers" });

    const flaky = await waitsForChecks(issues.flaky);
    const commit = flaky?.pull.headSha ?? "";
    await job(commit, "success");
    await scene.reaches(issues.flaky, ["COMPLETED"]);
    const calls = scene.asked(issues.flaky).length;
    await job(commit, "failure");
    const rerun = await scene.sees(() => scene.writes.some(({ path }) => /\/rerun/.test(path)));
    await scene.quiet();
    const afterFlake = scene.asked(issues.flaky).length - calls;

    const [main] = await scene.commits("main");
    await job(main?.sha ?? "", "failure");
    const base = await waitsForChecks(issues.base);
    const baseCalls = scene.asked(issues.base).length;
    await job(base?.pull.headSha ?? "", "failure");
    const baseTold = await scene.hears(issues.base, /main|base/);
    await scene.quiet();
    const afterBase = scene.asked(issues.base).length - baseCalls;

    const held = await waitsForChecks(issues.held);
    octocat.holdWorkflows(held?.pull.headSha ?? "");
    const heldTold = await scene.sees(async () => {
      const found = await scene.decisions(issues.held);
      return found.find(({ rule }) => rule === "checks_awaiting_approval");
    }, 40);
    const heldSaid = await scene.hears(issues.held, /[Aa]pprove/, 20);

    const pushed = github.requests().filter(({ path }) => path.includes("git-receive-pack"));
    const runs = github.webhooks.deliveries().filter(({ event }) => event === "push");
    return {
      rerun,
      afterFlake,
      baseTold,
      afterBase,
      heldTold,
      heldSaid,
      approvals: scene.writes.filter(({ path }) => path.endsWith("/approve")).length,
      pushers: [...new Set(pushed.map(({ actor }) => actor))],
      pushWebhooks: runs.length,
      own: held?.pull,
    };
  },
  checks: {
    58: ({ pushers, pushWebhooks, heldTold }) => ({
      holds: [
        [
          `pushes are those of an App (${pushers.join(", ")}), which start workflows, and not of a workflow's own token`,
          pushers.every((actor) => actor === "flotilla[bot]") && pushWebhooks > 0,
        ],
        ["a required check that does not come is told, and blocks nothing in silence", heldTold !== null],
      ],
    }),
    59: ({ heldTold, heldSaid, own, approvals }) => ({
      holds: [
        [
          "branches are the repository's own, and not a fork's, whose runs wait for an approval",
          own !== undefined && pushedToOwn(own),
        ],
        ["a run that GitHub holds back is told, with what to press", heldTold !== null || heldSaid !== null],
      ],
      besides: [["nobody has to press it", approvals > 0]],
    }),
    60: ({ rerun, afterFlake, afterBase, baseTold }) => ({
      holds: [
        ["a check that fails on a commit on which it had succeeded is run again", rerun !== null],
        [`and its author gets ${afterFlake} calls of that`, afterFlake === 0],
        [`a check that is red on the base branch too costs ${afterBase} calls`, afterBase === 0],
        ["and the issue says so", baseTold !== null],
      ],
    }),
  },
});

function pushedToOwn({ headRef }: { readonly headRef: string }): boolean {
  return headRef.startsWith("flotilla/");
}
