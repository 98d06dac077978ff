import { fileURLToPath } from "node:url";
import { after, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { anyone, busy, numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const HOUR_MS = 3_600_000;
const issues = numbered("looper", "talker", "caller", "hanger", "eater", "spender", "waiter", "paper");
/** A limit for each; the model of the talker costs nothing. */
const LIMITS = {
  looper: {},
  talker: { max_turns: 10 },
  caller: { max_tool_calls: 6 },
  hanger: { max_active_duration: "4s" },
  eater: { max_tokens: 6_000 },
  spender: { max_cost_usd: 0.015 },
  waiter: {},
} as const;
/** No limit of dollars stops it, as where a plan is paid by the month. */
const FREE = "free-model";
const TURNS = 10;
const DEFAULT_TURNS = 50;
const NAMES = ["looper", "talker", "caller", "hanger", "eater", "spender", "waiter"] as const;
const STOPPED = ["ESCALATED", "FAILED", "SLEEPING", "CANCELLED", "COMPLETED"];
const RAISED = "raises the budget";

export const limits = story({
  played:
    "agents that would never end: one goes in circles, one goes on for ever with a model that costs nothing, and one each reaches its limit of calls, time, tokens and dollars; one is blocked",
  setting: () => ({
    config: {
      agents_dir: fileURLToPath(new URL("../../../fixtures/roles", import.meta.url)),
      roles: anyone(...NAMES),
      circuit_breakers: { roles: LIMITS },
      reconcile_every: "30s",
    },
    configure: ({ model }) => ({
      runtime: {
        model: "gpt-4.1",
        models: [FREE],
        prices: {
          "gpt-4.1": { in: 2, cached: 0.5, out: 8 },
          [FREE]: { in: 0, cached: 0, out: 0 },
        },
        provider: { type: "openai", base_url: model.url, api_key_env: "MODEL_API_KEY" },
      },
    }),
    conversations: [
      saysOn(
        issues.looper,
        Array.from({ length: 100 }, () => runs("cat README.md")),
      ),
      saysOn(issues.talker, busy(120)),
      saysOn(issues.caller, busy(30)),
      saysOn(issues.hanger, [{ delayMs: HOUR_MS, say: "At last." }]),
      saysOn(issues.eater, busy(100)),
      saysOn(issues.spender, [
        ...busy(100),
        ...after("come to an end|Come to an end", [
          call("commit", { message: "Save the steps" }),
          ...busy(100),
        ]),
        ...after(RAISED, [runs("ls steps-*.txt | wc -l"), ...makes("spent.md")]),
      ]),
      saysOn(issues.waiter, [
        call("report_blocked", { blocker_issue: issues.paper, reason: "That comes first." }),
        ...busy(100),
      ]),
    ],
  }),
  async play(scene) {
    const { octocat } = scene;
    await opens(scene, issues);
    for (const name of NAMES)
      if (name === "talker") await octocat.comment(issues.talker, `/flotilla start talker model=${FREE}`);
      else await octocat.label(issues[name], name);
    const ends = async (name: keyof typeof issues) => {
      const agent = await scene.reaches(issues[name], STOPPED);
      return { agent, calls: () => scene.asked(issues[name]).length };
    };
    const [looper, talker, caller, hanger, eater, spender, waiter] = await Promise.all([
      ends("looper"),
      ends("talker"),
      ends("caller"),
      ends("hanger"),
      ends("eater"),
      ends("spender"),
      ends("waiter"),
    ]);
    const told = {
      looper: await scene.hears(issues.looper, /README\.md/, 10),
      talker: await scene.hears(issues.talker, /max_turns.*\/flotilla continue/s, 10),
      caller: await scene.hears(issues.caller, /max_tool_calls/, 10),
      hanger: await scene.hears(issues.hanger, /max_active_duration/, 10),
      eater: await scene.hears(issues.eater, /max_tokens/, 10),
      spender: await scene.hears(issues.spender, /max_cost_usd.*\/flotilla budget/s, 10),
    };
    const warned = scene
      .asked(issues.spender)
      .some(({ messages }) => messages.some(({ content }) => content.includes("Come to an end")));
    const counts = () =>
      Object.fromEntries(Object.entries(issues).map(([name, issue]) => [name, scene.asked(issue).length]));
    const stopped = counts();
    await octocat.comment(issues.spender, "/flotilla budget +$5");
    const raised = await scene.reaches(issues.spender, ["COMPLETED"]);
    const files =
      raised?.pr == null ? 0 : (scene.github.state().pull(raised.pr).pull.stats?.changedFiles ?? 0);
    const later = counts();
    const settings = JSON.stringify(await scene.read("/api/settings?limit=500"));
    const defaultTurns = Number(
      /"circuit_breakers\.defaults\.max_turns"[^}]*?"value":"?(\d+)/.exec(settings)?.[1],
    );
    const ledger = (await scene.command("ledger", "--json")).stdout;
    return {
      ledger,
      defaultTurns,
      looper,
      talker,
      caller,
      hanger,
      eater,
      spender,
      waiter,
      told,
      warned,
      stopped,
      later,
      raised,
      files,
    };
  },
  checks: {
    3: ({ looper, told, stopped, later }) => ({
      holds: [
        ["the agent that goes in circles is stopped", looper.agent?.state === "ESCALATED"],
        [`after ${stopped["looper"]} of 100 answers of its model`, Number(stopped["looper"]) <= 25],
        ["its issue says what it repeated", told.looper !== null],
        ["it asks the model nothing more", stopped["looper"] === later["looper"]],
      ],
    }),
    4: ({ defaultTurns, talker, told, stopped, later, spender, warned }) => ({
      holds: [
        ["an agent whose model costs nothing is stopped by its turns", talker.agent?.state === "SLEEPING"],
        [`at ${talker.agent?.turns ?? 0} turns`, talker.agent?.turns === TURNS],
        [`without any setting at ${defaultTurns}`, defaultTurns === DEFAULT_TURNS],
        ["its issue says so, and how it goes on", told.talker !== null],
        ["it asks the model nothing more", stopped["talker"] === later["talker"]],
        ["another is stopped by what it cost", spender.agent?.state === "ESCALATED" && warned],
      ],
    }),
    7: ({ talker, stopped, ledger }) => ({
      holds: [
        [
          `where nothing has a price, one start with a limit of ${TURNS} turns makes ${stopped["talker"]} requests`,
          Number(stopped["talker"]) <= TURNS + 1,
        ],
        ["then a person has to let it go on", talker.agent?.sleep_reason === "approval"],
      ],
      besides: [
        ["the requests that a plan counts are shown, and have a limit of their own", /request/.test(ledger)],
      ],
    }),
    8: ({ waiter, stopped, later }) => ({
      holds: [
        ["an agent that reports that it is blocked sleeps", waiter.agent?.state === "SLEEPING"],
        ["it waits for that issue", waiter.agent?.sleep_reason === "blocked"],
        [`its model is asked ${stopped["waiter"]} time`, Number(stopped["waiter"]) <= 1],
        ["and not again while it waits", stopped["waiter"] === later["waiter"]],
      ],
    }),
    12: ({ caller, hanger, eater, told }) => ({
      holds: [
        ["calls are capped", told.caller !== null && caller.agent?.tool_calls === 6],
        ["time is capped", told.hanger !== null && hanger.agent?.["breaker"] === "max_active_duration"],
        [
          `tokens are capped: ${eater.agent?.tokens ?? 0} of 6000`,
          told.eater !== null && Number(eater.agent?.tokens) <= 9_000,
        ],
        ["dollars are capped", told.spender !== null],
      ],
    }),
    11: ({ warned, told, raised, stopped, later }) => ({
      holds: [
        ["near its limit, the agent is told to come to an end", warned],
        ["at the limit, people read how to raise it", told.spender !== null],
        ["one comment raises it", Number(later["spender"]) > Number(stopped["spender"])],
        ["and the agent completes", raised?.state === "COMPLETED"],
      ],
    }),
    15: ({ warned, spender, raised, files }) => ({
      holds: [
        ["the agent is warned before the cap", warned],
        ["at the cap its work is kept, and a person is asked", spender.agent?.state === "ESCALATED"],
        ["after a raise it goes on in the same attempt", raised?.attempt === 1],
        [`its pull request has the ${files} files of before and after`, files > 3],
      ],
    }),
    41: ({ told }) => ({
      holds: [
        ["a stop by turns is told on the issue", told.talker !== null],
        ["a stop by calls is told on the issue", told.caller !== null],
        ["a stop by time is told on the issue", told.hanger !== null],
        ["a stop by tokens is told on the issue", told.eater !== null],
        ["a stop by cost is told on the issue", told.spender !== null],
      ],
    }),
  },
});
