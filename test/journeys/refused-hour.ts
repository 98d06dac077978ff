import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { aProvider, type Provider } from "./a-provider.ts";
import { aScenario, makes, saysOn } from "./a-scenario.ts";
import { aheadClock } from "./ahead-clock.ts";
import { type Journey, startJourney } from "./journey.ts";
import { secretsOf } from "./secrets-of.ts";

/** By the clock of the process, which each answer of the second provider puts forward. */
const STEP = 4 * MINUTE;
/** So many that the first provider answers the last ones. */
const STEPS = 24;
/** Dollars per million tokens: the first is ten times as dear. */
export const PRICES = { big: { in: 10, cached: 0, out: 0 }, small: { in: 1, cached: 0, out: 0 } };
export const MODELS = ["first/big", "next/small"];
const KEYS = { FIRST_KEY: "key-of-the-first", NEXT_KEY: "key-of-the-next" };

const transcripts = z.object({
  transcript: z.array(z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
});

/** Tells with a real process of Flotilla and of the runtime how its agents fare while their first provider refuses. */
export function refusedHour(given: {
  /** The runtime's name. */
  readonly runtime: string;
  readonly provider: Readonly<Record<string, unknown>>;
  /** Where the provider's API begins. */
  readonly path: string;
  /** The keys of the configuration that give agents the runtime with `MODELS`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Called with the data directory before the process starts; returns more of these keys. */
  readonly prepare: (dataDir: string) => Readonly<Record<string, unknown>>;
  readonly shell: (command: string) => {
    readonly tool: string;
    readonly args: Record<string, unknown>;
  };
  /** Whether the provider says when it may be asked again. */
  readonly saysWhen: boolean;
}): void {
  const clock = aheadClock();
  const until = clock.now() + HOUR;
  /** Who was asked, and by the process's clock when. */
  const asked: { readonly who: "first" | "next"; readonly answered: boolean; readonly at: number }[] = [];
  let journey: Journey;
  let providers: readonly Provider[] = [];

  const asks = (command: string) => ({ call: [given.shell(command)] });
  const scenario = aScenario({
    conversations: [
      saysOn(1, [
        ...Array.from({ length: STEPS }, (_, step) => asks(`echo "step ${step}" >> steps.md`)),
        asks("printf 'made\\n' > made.md"),
        ...makes("made.md").slice(1),
      ]),
    ],
    config: { circuit_breakers: { defaults: { max_turns: 200 } }, ...given.config },
  });

  async function transcript() {
    const { url, pid } = journey.served();
    const authorization = `Bearer ${secretsOf(pid).DASHBOARD_TOKEN}`;
    const key = encodeURIComponent("acme/app:feat-dev-issue-1");
    const answer = await fetch(`${url}/api/agents/${key}/transcript`, { headers: { authorization } });
    return transcripts.parse(await answer.json()).transcript;
  }

  describe(`${given.runtime}, while its first provider answers 429 for an hour`, { timeout: 120_000 }, () => {
    beforeAll(async () => {
      const first = await aProvider({
        refuses() {
          const left = until - clock.now();
          asked.push({ who: "first", answered: left <= 0, at: clock.now() });
          if (left <= 0) return null;
          return given.saysWhen ? { "retry-after": String(Math.ceil(left / 1000)) } : {};
        },
        answered: () => undefined,
      });
      const next = await aProvider({
        refuses() {
          asked.push({ who: "next", answered: true, at: clock.now() });
          return null;
        },
        answered: () => clock.putForward(STEP),
      });
      providers = [first, next];
      journey = await startJourney({
        scenario,
        env: { ...KEYS, ...clock.env },
        now: () => clock.now(),
        configure({ dataDir, model }) {
          for (const provider of providers) provider.passTo(model.origin);
          return {
            ...given.prepare(dataDir),
            providers: {
              first: {
                ...given.provider,
                base_url: `${first.origin}${given.path}`,
                api_key_env: "FIRST_KEY",
              },
              next: { ...given.provider, base_url: `${next.origin}${given.path}`, api_key_env: "NEXT_KEY" },
            },
          };
        },
      });
      const octocat = journey.github.as("octocat");
      await octocat.openIssue({ title: "Made", body: "Please make made.md." });
      await octocat.label(1, "feature");
      await journey.reached(1, "COMPLETED", "feat-dev");
      await journey.quiet();
    }, 300_000);
    afterAll(async () => {
      await journey.close();
      for (const provider of providers) await provider.close();
      clock.remove();
    });

    it("asks the next one within seconds each time, and all the hour", () => {
      const refused = asked.flatMap(({ who, answered }, index) =>
        who === "first" && !answered ? [index] : [],
      );
      expect(refused.length).toBeGreaterThan(0);
      for (const index of refused) {
        expect(asked[index + 1]?.who).toBe("next");
        expect((asked[index + 1]?.at ?? Infinity) - (asked[index]?.at ?? 0)).toBeLessThan(30_000);
      }
      const answers = asked.filter(({ who }) => who === "next");
      expect((answers.at(-1)?.at ?? 0) - (answers[0]?.at ?? 0)).toBeGreaterThan(HOUR - 2 * STEP);
    });

    it("asks the first again as seldom as it should, and once it answers again asks nobody else", () => {
      const refusals = asked.filter(({ who, answered }) => who === "first" && !answered).length;
      const [least, most] = given.saysWhen ? [1, 1] : [5, 12];
      expect(refusals).toBeGreaterThanOrEqual(least);
      expect(refusals).toBeLessThanOrEqual(most);
      const back = asked.findIndex(({ who, answered }) => who === "first" && answered);
      expect(asked.length - back).toBeGreaterThan(5);
      expect(new Set(asked.slice(back).map(({ who }) => who))).toEqual(new Set(["first"]));
      // It is told at most how long the longest pause is.
      expect((asked[back]?.at ?? 0) - until).toBeLessThan(given.saysWhen ? STEP + MINUTE : 12 * MINUTE);
    });

    it("tells it on the agent's page", async () => {
      const told = (await transcript()).filter(({ type }) => type === "agent:model").map(({ data }) => data);
      expect(told).toEqual([
        { from: "big", to: "small", reason: "big answered 429" },
        { from: "small", to: "big", reason: "big answers again" },
      ]);
    });

    it("costs what the model that answered costs, each call", () => {
      const rows = journey.rows("SELECT model, input_tokens, cost_micro_usd FROM usage ORDER BY id");
      for (const model of ["small", "big"] as const) {
        const own = rows.filter((row) => row["model"] === model);
        expect(own).toHaveLength(
          asked.filter(({ who, answered }) => answered && (who === "first") === (model === "big")).length,
        );
        for (const { input_tokens: tokens, cost_micro_usd: cost } of own)
          expect(cost).toBe(Number(tokens) * PRICES[model].in);
      }
      const [agent] = journey.rows("SELECT cost_micro_usd FROM agent WHERE issue = 1");
      const sum = rows.reduce((total, row) => total + Number(row["cost_micro_usd"]), 0);
      expect(agent?.["cost_micro_usd"]).toBe(sum);
    });

    it("names in the pull request what the agent ran as", () => {
      const [pull] = journey.github.state().pulls();
      const [session] = journey.rows("SELECT runtime_version FROM session");
      expect(session?.["runtime_version"]).toMatch(/^\d+\.\d+\.\d+/);
      expect(pull?.body).toContain(
        `, runtime \`${given.runtime} ${String(session?.["runtime_version"])}\`, model `,
      );
    });

    it("ends in a consistent database", async () => {
      expect(await journey.violationsAfterStop()).toEqual([]);
    });
  });
}
