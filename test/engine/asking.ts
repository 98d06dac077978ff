import type { DomainEventOf } from "../../src/domain/events/domain-event.ts";
import type { QuestionRow } from "../../src/domain/questions/question.ts";
import { aDomainEvent, aRepository } from "../factories/an-occurrence.ts";
import { person } from "../fakes/github-world.ts";
import { agentOf } from "./look.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import { after, call, edit, on, type Step, work } from "./scripts.ts";

export const asks = (more: Record<string, unknown> = {}): Step =>
  call("ask_human", {
    question: "Which licence shall it have?",
    options: ["MIT", "GPL 3", { label: "None at all", destructive: true }],
    recommended: "MIT",
    ...more,
  });

/** An agent on issue 1 that will ask, and continue with its work once it is awake again. */
export function willAsk(
  more: Record<string, unknown> = {},
  options: RigOptions & { readonly steps?: readonly Step[] } = {},
): Promise<Rig> {
  const { steps = [after("You are awake again", edit()), ...work.slice(1)], ...rest } = options;
  return aRig({ script: [on(1, asks(more), ...steps)], ...rest });
}

/** The same once it has asked. */
export async function asked(...options: Parameters<typeof willAsk>): Promise<Rig> {
  const rig = await willAsk(...options);
  await tell(rig, labeled(rig, 1));
  return rig;
}

export async function questionOf(rig: Rig): Promise<QuestionRow> {
  const question = (await rig.store.questions.ofAgents([(await agentOf(rig)).id])).at(-1);
  if (question === undefined) throw new Error("nothing was asked");
  return question;
}

/** Boxes of the question's comment are ticked, as on GitHub's page; the numbers of the options. */
export async function ticked(
  rig: Rig,
  numbers: readonly number[],
  by = "alice",
): Promise<DomainEventOf<"comment_edited">> {
  const { commentId } = await questionOf(rig);
  const comment = rig.repository.comments.get(1)?.find(({ id }) => id === commentId);
  if (comment === undefined) throw new Error("the question has no comment");
  for (const number of numbers) comment.body = comment.body.replace(`[ ] **${number}**`, `[x] **${number}**`);
  rig.deliveries += 1;
  return aDomainEvent("comment_edited", {
    delivery: `d-${rig.deliveries}`,
    at: rig.clock.now(),
    repository: aRepository({ private: rig.repository.private }),
    actor: person(by),
    permitted: rig.repository.permissions.get(by) === "write",
    issue: { ...rig.repository.issues.get(1), ...aDomainEvent("comment_edited").issue, number: 1 },
    commentId: comment.id,
    url: comment.url,
    body: comment.body,
  });
}
