import { z } from "zod";
import { accountShape, commentShape, issueShape } from "../payload.ts";
import { ignoredSender, parser } from "./parsing.ts";

const shape = z.object({
  issue: issueShape,
  comment: z.intersection(commentShape, z.object({ user: accountShape.nullish() })),
});

/** Somebody edited a comment of ours, as ticking a box does; other edits change nothing. */
export const issueCommentEdited = parser(shape, async ({ issue, comment }, context) => {
  const deaf = ignoredSender(context);
  if (deaf !== undefined) return deaf;
  const { base, mayAsk, tools } = context;
  if (comment.user?.id !== tools.identity.botId) return { ignored: "the edited comment is not ours" };
  const { id: commentId, url, body } = comment;
  const permitted = await mayAsk(base.repository, base.actor);
  return { ...base, permitted, type: "comment_edited", issue, commentId, url, body };
});
