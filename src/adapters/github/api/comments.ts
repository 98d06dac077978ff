import { LRUCache } from "lru-cache";
import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { GitHub, GitHubComment } from "../../../domain/ports/github.ts";
import { seen } from "../client/lagging.ts";
import { at, pages } from "../client/pages.ts";
import { type Asking, readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { commentShape, linkedShape, reactionShape } from "../client/shapes.ts";

const REMEMBERED = 2_000;

/** Creates the operations on comments of issues and pull requests (GitHub keeps both in one list). */
export function createComments(room: Room): Pick<GitHub, "comments" | "putComment" | "react" | "reactions"> {
  const { on, answering, marker } = room;
  // By repository, id and key: the texts that we wrote last. Such a comment is ours whatever people made of it since.
  const own = new LRUCache<string, string>({ max: REMEMBERED });

  return {
    async comments(repository, number) {
      return Array.fromAsync(all(on(repository), repository, number));
    },

    async putComment(repository, number, comment) {
      const { key, body, knownId, forPerson = false } = comment;
      const rest = forPerson ? answering(repository) : on(repository);
      const { issues } = rest;
      const signed = marker.sign(repository.id, key, body);
      const nameOf = (id: number): string => `${repository.id} ${id} ${key}`;
      const edit = (id: number) =>
        readAnswer(issues.updateComment({ ...at(repository), comment_id: id, body: signed }), linkedShape);
      const remember = <Written extends { readonly id: number }>(written: Written): Written => {
        own.set(nameOf(written.id), signed);
        return written;
      };
      const before = knownId === undefined ? undefined : own.get(nameOf(knownId));
      if (knownId !== undefined && before !== undefined && !sameText(before, signed)) {
        const edited = await unlessGone(edit(knownId));
        if (edited !== undefined) return remember(edited);
      }
      const { botId } = await room.identity();
      const isOurs = (one: GitHubComment): boolean =>
        marker.recognises(one, { repositoryId: repository.id, key, botId });
      const known = knownId === undefined ? undefined : await byId(rest, repository, knownId);
      const ours =
        known && isOurs(known)
          ? known
          : seen(await firstOf(all(rest, repository, number), isOurs), { ...comment, clock: room.clock });
      if (ours && sameText(ours.body, signed)) return remember({ id: ours.id, url: ours.url });
      if (ours) return remember(await edit(ours.id));
      const asked = issues.createComment({ ...at(repository), issue_number: number, body: signed });
      return remember(await readAnswer(asked, linkedShape));
    },

    async reactions(repository, commentId) {
      const wanted = { ...at(repository), comment_id: commentId };
      return Array.fromAsync(
        pages(
          (page) => on(repository).reactions.listForIssueComment({ ...wanted, ...page }),
          z.array(reactionShape),
        ),
      );
    },

    async react(repository, commentId, reaction, place = "issue") {
      const { reactions } = on(repository);
      const wanted = { ...at(repository), comment_id: commentId, content: reaction };
      await (place === "review"
        ? reactions.createForPullRequestReviewComment(wanted)
        : reactions.createForIssueComment(wanted));
    },
  };
}

async function firstOf<Item>(items: AsyncIterable<Item>, wanted: (item: Item) => boolean) {
  for await (const item of items) if (wanted(item)) return item;
  return undefined;
}

function sameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

/** Normalizes a text: GitHub may change line ends and the end of a text. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trim();
}

function all(
  { issues }: Asking,
  ...[repository, number]: Parameters<GitHub["comments"]>
): AsyncGenerator<GitHubComment> {
  return pages(
    (page) => issues.listComments({ ...at(repository), issue_number: number, ...page }),
    z.array(commentShape),
  );
}

async function byId(
  { issues }: Asking,
  ...[repository, id]: Parameters<GitHub["comments"]>
): Promise<GitHubComment | undefined> {
  return unlessGone(readAnswer(issues.getComment({ ...at(repository), comment_id: id }), commentShape));
}

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return undefined;
    throw error;
  }
}
