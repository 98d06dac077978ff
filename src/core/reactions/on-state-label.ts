import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction } from "../reaction.ts";
import { stateLabelComment, stateLabelKey } from "../text/state-label.ts";

/** A label of ours was put or taken away: by ourselves it is done, by anybody else it is undone and answered, once a label. */
export function onStateLabel(occurrence: OccurrenceOf<"issue_labeled" | "issue_unlabeled">): Reaction {
  const { label, own, actor, type } = occurrence;
  const added = type === "issue_labeled";
  if (own) return decided("own_act", `we ${added ? "put" : "removed"} the label ourselves`);
  const by = actor.login;
  return joined(
    decided(
      "state_label",
      `@${by} ${added ? "put" : "removed"} \`${label}\`, which only shows where the work stands`,
    ),
    {
      ...NOTHING,
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
