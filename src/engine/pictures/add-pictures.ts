import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Prompt } from "../../domain/conversation/prompts.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import {
  MOST_PICTURES,
  MOST_SHOWN_TOGETHER,
  type Picture,
  type PictureFault,
} from "../../domain/pictures/picture.ts";
import {
  commentPlace,
  type PictureLink,
  type PictureSource,
  pictureLinks,
} from "../../domain/pictures/picture-links.ts";
import { picturesText, type ReadPicture } from "../../domain/pictures/picture-text.ts";
import { eachOnce, type ShownPicture } from "../../domain/pictures/shown-picture.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { sessionModels } from "../kernel/models-of.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { withTimeLimit } from "../outbox/with-time-limit.ts";

/** All pictures of a message together; a slower one counts as unreadable. */
const MOST_MS = 60_000;

/** What `visibleText` writes in place of a picture. */
const PLACEHOLDER = "(image)";

const TOO_MUCH = { fault: "the other pictures already fill the message" };

/** A message with its pictures, and the entries by which people see which pictures were shown. */
export interface Illustrated {
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly shown: readonly ShownPicture[];
}

/** A picture with the digest of its file, or why there is none. */
type Read = (Picture & { readonly hash: string }) | PictureFault;

interface Looked extends ReadPicture {
  readonly read: Read | null;
}

/**
 * Adds the pictures that the texts of a message show. What cannot be read is a sentence in the message and stops
 * nothing. Never rejects for a picture.
 */
export async function addPictures(
  context: EngineContext,
  agent: AgentRecord,
  prompt: Prompt,
): Promise<Illustrated> {
  if (!prompt.text.includes(PLACEHOLDER)) return { text: prompt.text, pictures: [], shown: [] };
  const sources = [...(prompt.pictures ?? []), ...(await inWakes(context, agent, prompt))];
  const found = sources.map(pictureLinks);
  const links = eachOnce(found.flatMap(({ attachments }) => attachments));
  const looked = links.slice(0, MOST_PICTURES);
  const { sees } = sessionModels(context, context.useOf(agent));
  const read: readonly Looked[] =
    sees && links.length > 0
      ? await readAll(context, agent, looked)
      : looked.map((link) => ({ link, read: null }));
  const seen = read.flatMap(({ link, read: picture }) =>
    picture !== null && "hash" in picture ? [{ link, picture }] : [],
  );
  const told = picturesText(read, {
    more: links.length - looked.length,
    elsewhere: found.reduce((sum, { elsewhere }) => sum + elsewhere, 0),
  });
  return {
    text: told === null ? prompt.text : `${prompt.text}\n\n${told}`,
    pictures: seen.map(({ picture: { mediaType, bytes } }) => ({ mediaType, bytes })),
    shown: seen.map(({ link, picture: { hash } }) => {
      return { ...link, alternative: context.redact(link.alternative), hash };
    }),
  };
}

const ADDRESS = /\((https?:\/\/[^\s()]{1,300}#issuecomment-\d{1,15})\)/;

/** Returns the messages and answers of people that the prompt tells. */
async function inWakes(
  { store }: EngineContext,
  agent: AgentRecord,
  { told }: Prompt,
): Promise<readonly PictureSource[]> {
  if (told.length === 0) return [];
  const wakes = (await store.wakes.pending(agent.id)).filter(({ id }) => told.includes(id));
  return wakes.flatMap(({ reason, detail }): readonly PictureSource[] => {
    const place = commentPlace(ADDRESS.exec(detail)?.[1] ?? "");
    return place !== null && (reason === "message" || reason === "answer") ? [{ place, text: detail }] : [];
  });
}

async function readAll(
  context: EngineContext,
  agent: AgentRecord,
  links: readonly PictureLink[],
): Promise<readonly Looked[]> {
  const found = new Map<PictureLink, Read>();
  try {
    const repository = await repositoryOf(context, agent.repositoryId);
    await withTimeLimit(context.clock, MOST_MS, fetchInto(found, context, { repository, links }));
  } catch (error) {
    context.log.warn({ error: messageOf(error), agent: agent.name }, "pictures not read in time");
  }
  const late = { fault: "it took too long" };
  return links.map((link) => ({ link, read: found.get(link) ?? late }));
}

/** Reads one picture after the other; what is read stays although a later one takes too long. */
async function fetchInto(
  found: Map<PictureLink, Read>,
  context: EngineContext,
  { repository, links }: { readonly repository: RepositoryRow; readonly links: readonly PictureLink[] },
): Promise<void> {
  let bytes = 0;
  for (const link of links) {
    try {
      const read = await readOne(context, repository, link);
      const size = "bytes" in read ? read.bytes.byteLength : 0;
      const isTooMuch = bytes + size > MOST_SHOWN_TOGETHER;
      if (!isTooMuch) bytes += size;
      found.set(link, isTooMuch ? TOO_MUCH : read);
    } catch (error) {
      context.log.warn({ error: messageOf(error), asset: link.asset }, "picture not read");
      found.set(link, { fault: messageOf(error).slice(0, 200) });
    }
  }
}

async function readOne(
  { github, readPicture, digest }: EngineContext,
  repository: RepositoryRow,
  { place, asset }: PictureLink,
): Promise<Read> {
  const fetched = await github.picture(repository, { place, asset });
  if ("fault" in fetched) return fetched;
  const read = await readPicture(fetched.bytes);
  return "fault" in read ? read : { ...read, hash: digest(fetched.bytes) };
}
