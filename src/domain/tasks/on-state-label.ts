import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import { stateLabelComment, stateLabelKey } from "./state-label-comment.ts";

/**
 * Handles a change of one of Flotilla's own labels: a change by anybody else is undone and answered, once for each
 * label.
 */
export function onStateLabel(event: DomainEventOf<"issue_labeled" | "issue_unlabeled">): ChangeSet {
  const { label, own, actor, type } = event;
  const added = type === "issue_labeled";
  if (own) return decisionOnly("own_act", `we ${added ? "put" : "removed"} the label ourselves`);
  const by = actor.login;
  return mergeChanges(
    decisionOnly(
      "state_label",
      `@${by} ${added ? "put" : "removed"} \`${label}\`, which only shows where the work stands`,
    ),
    {
      ...NO_CHANGES,
      effects: [
        { kind: "task_label" },
        {
          kind: "post_comment",
          name: stateLabelKey(label, added),
          body: stateLabelComment(label, { by, added }),
        },
      ],
    },
  );
}
