import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { isRepositoryEvent } from "../../../src/domain/events/repository-event.ts";
import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";
import type { ParsedWebhook } from "../../../src/webhooks/events/parsing.ts";
import { EVENT_NAMES, EVENTS } from "../../../src/webhooks/events/table.ts";
import { BOT, mockedGitHub, ORIGIN, stoppedClock } from "../../adapters/github/mocked-github.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { noFile } from "../../fakes/no-file.ts";
import { mockHttp } from "../../http-mock.ts";
import { proved } from "../../proved.ts";
import { createReadingRig, envelope } from "../reading-rig.ts";
import { ACTORS, type Actor, answersOf, begin, LISTED, OWN } from "./actors.ts";
import { record, type Scene, viewOf } from "./scene.ts";
import { SCENES } from "./scenes.ts";

const mocks = mockHttp(ORIGIN);

/** Readers as they are, permissions by the real adapter; only what GitHub answers is made up. */
function world() {
  const clock = stoppedClock();
  const rig = createReadingRig();
  const answers = answersOf(mocks());
  const github = mockedGitHub(clock);
  for (let number = 1; number <= 42; number += 1)
    addIssue(rig.world, { title: "Broken", author: person("ada") });
  rig.addPull({ number: 50, author: BOT, headRef: "flotilla/feat-dev/issue-42" });
  rig.addPull({ number: 51, author: person("ada") });
  rig.addPull({ number: 52, author: BOT, headRef: "flotilla/feat-dev/issue-42", headRepository: "eve/shop" });
  const some = someSettings({ repositories: ["octo/*"] });
  const settings = {
    ...some,
    policy: { ...some.policy, bots: [LISTED, BOT.id] },
    review: { ...some.review, people: "opened" as const },
  };
  const tools = {
    ...rig.tools,
    clock,
    settings,
    ownSettings: noFile(settings),
    github: {
      ...rig.github,
      permission: (...args: Parameters<typeof github.permission>) => github.permission(...args),
    },
  };
  return { clock, answers, github, tools };
}

/** Anything but words: a move, a wake, a grant, an answer, or a look at what holds work up. */
function acts({ moves, wakes, dayGrants, approvals, answers, effects }: ChangeSet): boolean {
  const looks = effects.filter(({ kind }) => kind.startsWith("look_at_") || kind === "offer_review");
  return [moves, wakes, dayGrants, approvals, answers, looks].some((some) => some.length > 0);
}

/** What came of it, in a word; nothing without a reason is an error. */
function outcome(reading: ParsedWebhook, scene: Scene): "acts" | "refused" | "unread" | "silent" {
  if ("ignored" in reading) return reading.ignored === "" ? "silent" : "refused";
  if (isRepositoryEvent(reading)) return "acts";
  const changes = decide(reading, viewOf(scene.view));
  if (acts(changes)) return "acts";
  if (scene.rule === "steers" && changes.decisions.some(({ rule }) => rule === "permission_unread"))
    return "unread";
  return changes.decisions.some(({ reason }) => reason !== "") ? "refused" : "silent";
}

function changesOf(reading: ParsedWebhook | undefined, { view }: Scene): Partial<ChangeSet> {
  if (reading === undefined || "ignored" in reading || isRepositoryEvent(reading)) return {};
  return decide(reading, viewOf(view));
}

function wanted({ rule, own }: Scene, actor: Actor): "acts" | "refused" | "unread" {
  const steers = rule === "fact" || (rule === "steers" && actor.may);
  if (actor === OWN ? (own ?? steers) : steers) return "acts";
  return rule === "steers" && actor.unread ? "unread" : "refused";
}

it("has a scene for each webhook that is read", () => {
  expect(new Set(SCENES.map(({ event }) => event))).toEqual(new Set(EVENT_NAMES));
});

let cells = 0;
afterAll(() => {
  proved({
    promise: "Only who may steer steers: each actor at each webhook acts or is refused with a reason",
    test: "test/webhooks/steering/matrix.test.ts",
    figure: `${cells} cells right: ${ACTORS.length} actors, ${SCENES.length} scenes of ${EVENT_NAMES.length} webhooks`,
  });
});

describe.each(SCENES)("$event, $what: $rule", (scene) => {
  it("is read as what it is, acted on for whom it should be, and for everybody else leaves a reason", async () => {
    const here = world();
    const found: [string, string][] = [];
    const askedInVain: (string | undefined)[] = [];
    let writers: ParsedWebhook | undefined;
    for (const actor of ACTORS) {
      await begin(actor, here);
      const { repository, installation } = record(envelope(BOT));
      const payload = { ...scene.payload(actor), repository, installation, sender: actor.account };
      const reading = await EVENTS[scene.event]({ id: "d-1", payload }, here.tools);
      found.push([actor.who, outcome(reading, scene)]);
      if (actor.who === "write") writers = reading;
      const login = actor.account?.login ?? "";
      if (actor.says === undefined && here.answers.asked.has(login)) askedInVain.push(login);
    }
    expect(found).toEqual(ACTORS.map((actor) => [actor.who, wanted(scene, actor)]));
    expect(askedInVain).toEqual([]);
    expect(writers).toMatchObject(scene.reads);
    expect(changesOf(writers, scene)).toMatchObject(scene.follows ?? {});
    cells += found.length;
  });
});
