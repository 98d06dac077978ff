import { aProvider, type Provider } from "../../../journeys/a-provider.ts";
import { CODERS, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { busy, numbered, opens } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("parked", "guessed");
/** How long the provider refuses. */
const REFUSES_MS = 25_000;
/** The time of the status comment, such as 2026-02-01 10:00 UTC. */
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;

let provider: Provider | null = null;
let refuses: () => Readonly<Record<string, string>> | null = () => null;
/** Times at which calls were refused. */
let refused: number[] = [];

export const limited = story({
  played: "a provider that refuses: once it says when it may be asked again, and once it does not",
  setting: async () => {
    refuses = () => null;
    refused = [];
    const own = await aProvider({
      refuses: () => {
        const refusal = refuses();
        if (refusal !== null) refused.push(Date.now());
        return refusal;
      },
      answered: () => undefined,
    });
    provider = own;
    return {
      config: { roles: CODERS },
      configure: ({ model }) => {
        own.passTo(model.origin);
        return {
          runtime: {
            model: "gpt-4.1",
            prices: { "gpt-4.1": { in: 2, cached: 0.5, out: 8 } },
            provider: { type: "openai", base_url: `${own.origin}/v1`, api_key_env: "MODEL_API_KEY" },
          },
        };
      },
      conversations: [
        saysOn(issues.parked, [...busy(2), ...makes("parked.md")]),
        saysOn(issues.guessed, [...busy(2), ...makes("guessed.md")]),
      ],
      close: async () => provider?.close(),
    };
  },
  async play(scene) {
    const { octocat } = scene;
    await opens(scene, issues);
    const round = async (issue: number, headers: (left: number) => Readonly<Record<string, string>>) => {
      refused = [];
      const until = Date.now() + REFUSES_MS;
      refuses = () => {
        const left = Math.ceil((until - Date.now()) / 1000);
        return left > 0 ? headers(left) : null;
      };
      await octocat.label(issue, "feature");
      const slept = await scene.sees(async () => {
        const agent = (await scene.agents(issue)).at(-1);
        return agent?.state === "SLEEPING" && agent;
      });
      const told = await scene.hears(issue, TIME, 60);
      const explained = (await scene.command("explain", `acme/app#${issue}`)).stdout;
      const processes =
        slept === null
          ? -1
          : await scene.sees(async () => (await scene.processes(slept.session ?? "none")).length === 0, 20);
      const ended = await scene.reaches(issue, ["COMPLETED", "FAILED", "ESCALATED"]);
      return { slept, told, explained, isGone: processes !== null, ended, refusals: refused.length };
    };
    const parked = await round(issues.parked, (left) => ({ "retry-after": String(left) }));
    refuses = () => null;
    const guessed = await round(issues.guessed, () => ({}));
    return { parked, guessed };
  },
  checks: {
    6: ({ parked }) => ({
      holds: [
        [
          `in ${REFUSES_MS / 1000} s of refusals the provider is asked ${parked.refusals} times`,
          parked.refusals >= 1 && parked.refusals <= 3,
        ],
        ["the agent sleeps meanwhile, without a process", parked.slept !== null && parked.isGone],
        ["and goes on by itself", parked.ended?.state === "COMPLETED"],
      ],
    }),
    43: ({ guessed, parked }) => ({
      holds: [
        ["a provider's own time is shown on the issue", parked.told !== null],
        ["where the provider names none, the issue says when Flotilla asks again", guessed.told !== null],
        ["and the agent goes on by itself", guessed.ended?.state === "COMPLETED"],
      ],
    }),
    80: ({ parked, guessed }) => ({
      holds: [
        [
          "the agent waits for the provider's time and resumes in the same attempt",
          parked.ended?.state === "COMPLETED" && parked.ended.attempt === 1,
        ],
        ["nobody has to comment", guessed.ended?.state === "COMPLETED"],
      ],
    }),
  },
});
