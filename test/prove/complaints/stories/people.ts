import { z } from "zod";
import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("asked", "late", "drastic", "held", "steered");
const waiting = z.object({ waiting: z.array(z.looseObject({ issue: z.int().nullish() })) });
const STEER = "use the short form";
const ask = (question: string, more: Readonly<Record<string, unknown>>) =>
  call("ask_human", { question, options: ["Red", "Blue"], ...more });

export const people = story({
  played:
    "agents that need people: a question that is answered, one that nobody answers, one about something that cannot be undone, a commit that needs approval, and a word to an agent at work",
  setting: () => ({
    config: {
      roles: CODERS,
      questions: { deadline: "20s" },
      escalation: { notify: ["octocat", "mona"] },
      policy: { protected_paths: ["licence.md"] },
    },
    conversations: [
      saysOn(issues.asked, [
        ask("Which colour has the door?", {}),
        ...after("Answer from a person", makes("door.md")),
      ]),
      saysOn(issues.late, [
        ask("Which colour has the roof?", { default: "Blue", who: "octocat" }),
        ...after("You are awake again", makes("roof.md")),
      ]),
      saysOn(issues.drastic, [
        ask("May I drop the table?", {
          options: [{ label: "Drop it", destructive: true }, "Keep it"],
          default: "Drop it",
        }),
        ask("May I drop the table?", { options: [{ label: "Drop it", destructive: true }, "Keep it"] }),
      ]),
      saysOn(issues.held, [...makes("licence.md").slice(0, 2), { say: "I wait." }]),
      saysOn(issues.steered, [{ delayMs: 4000, ...runs("echo one > one.txt") }, ...makes("steered.md")]),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    for (const issue of Object.values(issues)) await octocat.label(issue, "feature");
    const needs = (issue: number) => github.state().labels(issue).includes("needs-human");
    const sleeps = (issue: number, reason: string) =>
      scene.sees(async () => (await scene.agents(issue)).at(-1)?.sleep_reason === reason);

    await scene.sees(() => scene.asked(issues.steered).length > 0);
    await octocat.comment(issues.steered, `@flotilla ${STEER}`);
    await sleeps(issues.asked, "question");
    const wasMarked = await scene.sees(() => needs(issues.asked));
    await octocat.comment(issues.asked, "/flotilla answer Red");
    const asked = await scene.reaches(issues.asked, ["COMPLETED"]);
    const heldAt = await sleeps(issues.held, "approval");
    const late = await scene.reaches(issues.late, ["COMPLETED"]);
    const steered = await scene.reaches(issues.steered, ["COMPLETED"]);
    await scene.quiet();
    const words = (issue: number) => scene.asked(issue).at(-1)?.messages ?? [];
    const naming = (login: string) =>
      scene.said(issues.late).filter((body) => body.includes(`@${login}`) && body.includes("roof"));
    const record = await scene.command("explain", `acme/app#${issues.late}`);
    const refusal = scene
      .asked(issues.drastic)
      .some(({ messages }) =>
        messages.some(({ role, content }) => role === "tool" && /destructive/.test(content)),
      );
    return {
      wasMarked,
      asked,
      answered: words(issues.asked).some(
        ({ content }) => content.includes("Answer from a person") && content.includes("Red"),
      ),
      stillAsking: waiting.parse(await scene.read("/api/waiting?limit=100")),
      late,
      toOctocat: naming("octocat").length,
      toMona: naming("mona").length,
      timedOut: words(issues.late).some(({ content }) =>
        content.includes("Decided by time-out, not by a person"),
      ),
      record: record.stdout,
      lateSaid: scene.said(issues.late).join("\n"),
      refusal,
      drastic: (await scene.agents(issues.drastic)).at(-1),
      heldAt,
      held: (await scene.agents(issues.held)).at(-1),
      heldPulls: github
        .state()
        .pulls()
        .filter(({ pull }) => pull.headRef.endsWith(`issue-${issues.held}`)).length,
      steered,
      steeredBy: words(issues.steered).find(({ content }) => content.includes(STEER))?.role,
      steeredSaid: scene.said(issues.steered),
      askedSaid: scene.said(issues.asked),
    };
  },
  checks: {
    16: ({ wasMarked, asked, stillAsking, answered }) => ({
      holds: [
        ["a question marks its issue", wasMarked !== null],
        ["the answer ends the wait, and the agent completes", asked?.state === "COMPLETED" && answered],
        [
          "no list says any more that it asks",
          !JSON.stringify(stillAsking.waiting.filter(({ issue }) => issue === issues.asked)).includes("door"),
        ],
      ],
    }),
    62: ({ late, timedOut }) => ({
      holds: [
        ["a question has a default answer and a deadline", timedOut],
        ["after the deadline the agent goes on with the default", late?.state === "COMPLETED"],
      ],
    }),
    63: ({ toOctocat, toMona, late }) => ({
      holds: [
        ["whoever is asked is reminded", toOctocat >= 2],
        ["then a second person is asked", toMona >= 1],
        ["and in the end the agent goes on", late?.state === "COMPLETED"],
      ],
    }),
    64: ({ timedOut, record, lateSaid, refusal, drastic, held, heldPulls }) => ({
      holds: [
        ["the agent reads that time decided, not a person", timedOut],
        ["so do people", /time-out|timed out|time out/i.test(`${record}${lateSaid}`)],
        ["a default that cannot be undone is refused", refusal],
        [
          "time does not decide a question without a default; a person is asked again",
          drastic?.state === "SLEEPING" || drastic?.state === "ESCALATED",
        ],
        ["an approval is never given by time", held?.sleep_reason === "approval" && heldPulls === 0],
      ],
    }),
    65: ({ steered, steeredBy }) => ({
      holds: [
        [
          "a comment reaches an agent in the middle of its work, with the answer of a tool",
          steeredBy === "tool",
        ],
        ["and the agent goes on", steered?.state === "COMPLETED"],
      ],
    }),
    86: ({ steeredSaid, askedSaid }) => ({
      holds: [
        [
          `work that needs nobody has ${steeredSaid.length} comment of Flotilla's, which is edited`,
          steeredSaid.length === 1,
        ],
        [
          "a question, and its reminder, are comments of their own, so that people are notified",
          askedSaid.filter((body) => !body.includes("door") || body.startsWith("### Flotilla")).length === 1,
        ],
      ],
    }),
  },
});
