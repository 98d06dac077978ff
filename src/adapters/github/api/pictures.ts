import { z } from "zod";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { MOST_FETCHED } from "../../../domain/pictures/picture.ts";
import { assetOf, type PicturePlace } from "../../../domain/pictures/picture-links.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import { at } from "../client/pages.ts";
import { fetchPicture } from "../client/picture-store.ts";
import { readAnswer, type Unread } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";

const htmlShape = z.object({ body_html: z.string().nullish() }).transform(({ body_html }) => body_html ?? "");

/** GitHub shows a text as HTML in this form. There an attachment has an address that anybody can read for some minutes. */
const headers = { accept: "application/vnd.github.full+json" };

/**
 * Creates the operation that reads an attachment. Its address in a text needs a person's browser; that in the HTML of
 * the same text is signed.
 */
export function createPictures(
  { on, clock }: Room,
  { baseUrl, timeLimitMs }: { readonly baseUrl: string; readonly timeLimitMs: number },
): Pick<GitHub, "picture"> {
  const isKept = keptAt(new URL(baseUrl));

  function asked(repository: RepositoryRef, place: PicturePlace): Promise<Unread> {
    const { issues } = on(repository);
    return place.kind === "issue"
      ? issues.get({ ...at(repository), issue_number: place.number, headers })
      : issues.getComment({ ...at(repository), comment_id: place.id, headers });
  }

  return {
    async picture(repository, { place, asset }) {
      const html = await readAnswer(asked(repository, place), htmlShape);
      const address = addressesIn(html).find((url) => isKept(url) && assetOf(url.href) === asset);
      if (address === undefined) return { fault: "GitHub shows no such attachment there" };
      return fetchPicture(address, { clock, timeLimitMs, most: MOST_FETCHED });
    },
  };
}

const SOURCE = /\ssrc="([^"]{1,4000})"/g;

function addressesIn(html: string): readonly URL[] {
  return [...html.matchAll(SOURCE)].flatMap(
    ([, written = ""]) => URL.parse(written.replaceAll("&amp;", "&")) ?? [],
  );
}

const HOSTS = ["private-user-images.githubusercontent.com", "user-images.githubusercontent.com"];

/** Returns whether an address is one where GitHub keeps attachments; an Enterprise Server keeps them itself. */
function keptAt(base: URL): (address: URL) => boolean {
  if (base.host !== "api.github.com") return ({ origin }) => origin === base.origin;
  return ({ protocol, host, username }) => protocol === "https:" && HOSTS.includes(host) && username === "";
}
