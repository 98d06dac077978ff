import type { Effect } from "../effect.ts";
import { cutHead } from "./cut.ts";

/** So much of a text is told; the whole stays with the effect. */
const SHOWN = 300;

/** What an effect would have written on GitHub, as people read it after "it". */
export function wouldWords(effect: Effect): string {
  switch (effect.kind) {
    case "open_pr":
      return `would open a pull request: ${effect.title}`;
    case "commit":
      return `would push a commit: ${short(effect.message)}`;
    case "post_comment":
      return `would comment: ${short(effect.body)}`;
    case "question_comment":
      return "would ask people its question";
    case "add_labels":
      return `would put the labels ${effect.labels.join(", ")}`;
    case "add_blocked_by":
      return `would note that #${effect.blocker} blocks this issue`;
    case "create_blocker_issue":
    case "create_sub_issue":
    case "open_incident":
      return `would open an issue: ${effect.title}`;
    case "propose_file":
      return `would propose ${effect.path} by a pull request`;
    case "merge_pull":
      return `would merge #${effect.pull}`;
    case "update_branch":
      return "would merge the base branch into the branch of its pull request";
    case "publish_verdict":
      return "would publish a review";
    case "rerun_check":
      return `would run ${effect.check} again`;
    default:
      return "would show its state: a status comment, labels, reactions";
  }
}

function short(text: string): string {
  return cutHead(text.replace(/\s+/g, " ").trim(), SHOWN);
}
