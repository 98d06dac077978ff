import type { DomainEventOf } from "../../src/domain/events/domain-event.ts";
import { planKey } from "../../src/domain/planning/plan-comment.ts";
import { aRole } from "../factories/a-role.ts";
import { aDomainEvent, aRepository } from "../factories/an-occurrence.ts";
import { rolesOf } from "../factories/some-settings.ts";
import { person } from "../fakes/github-world.ts";
import type { Rig } from "./rig.ts";
import { call, type Step } from "./scripts.ts";

/** Settings of a coder whose plan comes first. */
export const planFirst = { roles: rolesOf(aRole({ planFirst: true })) };

export const plans = (plan = "1. Read.\n2. Build."): Step => call("submit_plan", { plan });

/** The comment of the latest plan of issue 1, as it stands on GitHub. */
export function planCommentOf(rig: Rig) {
  const all = rig.repository.comments.get(1) ?? [];
  const comment = all.findLast(({ body }) => body.includes(`key=${planKey(0).slice(0, -1)}`));
  if (comment === undefined) throw new Error("there is no plan");
  return comment;
}

/** A person edits that comment on GitHub's page. */
export function editedPlan(
  rig: Rig,
  edit: (body: string) => string,
  by = "alice",
): DomainEventOf<"comment_edited"> {
  const comment = planCommentOf(rig);
  comment.body = edit(comment.body);
  rig.deliveries += 1;
  return aDomainEvent("comment_edited", {
    delivery: `d-${rig.deliveries}`,
    at: rig.clock.now(),
    repository: aRepository({ private: rig.repository.private }),
    actor: person(by),
    permitted: rig.repository.permissions.get(by) === "write",
    issue: { ...aDomainEvent("comment_edited").issue, ...rig.repository.issues.get(1), number: 1 },
    commentId: comment.id,
    url: comment.url,
    body: comment.body,
  });
}
