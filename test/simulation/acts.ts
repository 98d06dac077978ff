import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import * as people from "../engine/people.ts";
import type { Chance } from "./chance.ts";
import type { World } from "./world.ts";

type Act = (world: World, chance: Chance, issue: number) => DomainEvent;

const COMMANDS: readonly string[] = [
  "start feat-dev",
  "pause",
  "resume",
  "continue",
  "complete",
  "cancel",
  "retry",
  "status",
  "approve",
  "why",
  "answer The second.",
];

/** What people do to an issue. */
const ON_ISSUES: readonly (readonly [times: number, act: Act])[] = [
  [
    10,
    (world, chance, issue) =>
      people.labeled(world, issue, { label: chance.one(["feature", "feature", "bug"]) }),
  ],
  [1, (world, _, issue) => people.unlabeled(world, issue, "feature")],
  [1, (world, _, issue) => people.unlabeled(world, issue, "needs-human")],
  [3, (world, _, issue) => people.closed(world, issue)],
  [3, (world, _, issue) => people.reopened(world, issue)],
  [1, (world, _, issue) => people.assigned(world, issue, "bob")],
  [1, (world, chance, issue) => people.locked(world, issue, chance.happens(0.3))],
  [1, (world, chance, issue) => people.edited(world, issue, `Do it otherwise ${chance.below(100)}.`)],
  [
    2,
    (world, chance, issue) =>
      people.said(world, issue, "@flotilla hello", { by: chance.one(["alice", "eve"]) }),
  ],
  [2, (world, _, issue) => people.said(world, issue, "I see.")],
  [10, (world, chance, issue) => people.said(world, issue, `/flotilla ${chance.one(COMMANDS)}`)],
];

/** What people do to a pull request, or to the branch of it. */
const ON_PULLS: readonly (readonly [times: number, act: Act])[] = [
  [2, (world, chance, pull) => people.pullClosed(world, pull, { merged: chance.happens(0.7) })],
  [
    3,
    (world, chance, pull) =>
      people.reviewed(world, pull, chance.one(["changes_requested", "approved", "commented"])),
  ],
  [
    4,
    (world, chance, pull) => {
      const branch = world.repository.pulls.get(pull)?.headRef ?? "";
      return people.checked(world, { build: chance.one(["green", "green", "red", "pending"]) }, branch);
    },
  ],
  [
    1,
    (world, chance, pull) => {
      const branch = world.repository.pulls.get(pull)?.headRef ?? "";
      return people.pushed(world, branch, { [`person-${chance.below(9)}.ts`]: "export {};" });
    },
  ],
];

/** Something that a person does now; what the webhook of it tells. */
export function personActs(world: World): { readonly told: DomainEvent; readonly about: number } {
  const { chance, repository } = world;
  const pulls = [...repository.pulls.values()].filter(({ state }) => state === "open");
  if (pulls.length > 0 && chance.happens(0.35)) {
    const { number } = chance.one(pulls);
    return { told: chance.among(ON_PULLS)(world, chance, number), about: number };
  }
  const issues = [...repository.issues.values()].filter(({ isPullRequest }) => !isPullRequest);
  const { number } = chance.one(issues);
  return { told: chance.among(ON_ISSUES)(world, chance, number), about: number };
}
