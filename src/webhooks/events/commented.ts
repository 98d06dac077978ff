import { type Command, readComment } from "../../domain/commands/command.ts";
import type { DomainEventOf, IssueFacts } from "../../domain/events/domain-event.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import type { ParseContext } from "./parsing.ts";

type Commented = DomainEventOf<"commented">;

/** A comment about an issue, with the command that is in it, and whether its author may give one. */
export async function commentedOn(
  issue: IssueFacts,
  comment: Pick<Commented, "place" | "url" | "body"> & { readonly id: number },
  { base, mayAsk, tools }: ParseContext,
): Promise<Commented> {
  const permitted = await mayAsk(base.repository, base.actor);
  const { command, mention } = readComment(comment.body, tools.identity.slug);
  return {
    ...base,
    permitted,
    type: "commented",
    issue,
    commentId: comment.id,
    place: comment.place,
    url: comment.url,
    body: comment.body,
    command,
    mention,
    ...(permitted && startsWork(command)
      ? await pullsOfPeople(tools, mayAsk, base.repository, issue)
      : NO_PULLS),
  };
}

function startsWork(command: Command | null): boolean {
  return command?.verb === "start" || command?.verb === "retry";
}
