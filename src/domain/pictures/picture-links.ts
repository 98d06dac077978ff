import { z } from "zod";
import { codeBlocks } from "../safe-text/code-blocks.ts";

/** Where a text stands that links pictures; `number` is the issue or pull request. */
export const picturePlace = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("issue"), number: z.int() }),
  z.strictObject({ kind: z.literal("comment"), number: z.int(), id: z.int() }),
]);
export type PicturePlace = z.infer<typeof picturePlace>;

/** A text of a person who may be read, with its pictures. */
export interface PictureSource {
  readonly place: PicturePlace;
  readonly text: string;
}

/** An attachment that a text shows. */
export interface PictureLink {
  readonly place: PicturePlace;
  /** Its name at GitHub. */
  readonly asset: string;
  /** What its author says that it shows; may be empty. */
  readonly alternative: string;
}

export interface PictureLinks {
  readonly attachments: readonly PictureLink[];
  /** The number of pictures from other places. */
  readonly elsewhere: number;
}

const LONGEST_ALTERNATIVE = 200;

const MARKDOWN = /!\[([^\][\n]{0,1000})\]\(\s{0,9}<?([^\s()<>"']{1,2000})/g;
const HTML = /<img\s([^<>]{1,4000})>/gi;
const ATTRIBUTE = /(?<![\w-])(src|alt)\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})')/gi;

/** The name that GitHub gives an attachment stands at the end of its address, before the kind of file. */
const ASSET =
  /\/(?:assets\/|\d+\/\d+-)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.\w{1,9})?$/i;
const PLACES =
  /^(?:\/user-attachments\/assets\/|\/[\w.-]{1,100}\/[\w.-]{1,100}\/assets\/\d{1,20}\/|\/\d{1,20}\/\d{1,20}-)[0-9a-f-]{36}(?:\.\w{1,9})?$/i;

/** Returns the pictures that a text shows, in order; not those in code and comments. */
export function pictureLinks({ place, text }: PictureSource): PictureLinks {
  const shown = codeBlocks(withoutComments(text.replaceAll("\r\n", "\n")))
    .filter(({ code }) => !code)
    .map(({ lines }) => lines.join("\n"))
    .join("\n")
    .replace(/`[^`\n]{0,2000}`/g, "");
  const markdown = [...shown.matchAll(MARKDOWN)].map(({ index, 1: alternative = "", 2: address = "" }) => {
    return { index, alternative, address };
  });
  const html = [...shown.matchAll(HTML)].map(({ index, 1: written = "" }) => {
    const found = new Map(
      [...written.matchAll(ATTRIBUTE)].map(([, name = "", one, other]) => {
        return [name.toLowerCase(), one ?? other ?? ""] as const;
      }),
    );
    return { index, alternative: found.get("alt") ?? "", address: found.get("src") ?? "" };
  });
  const all = [...markdown, ...html].toSorted((one, other) => one.index - other.index);
  const attachments = all.flatMap(({ alternative, address }): readonly PictureLink[] => {
    const asset = assetOf(address);
    const words = alternative.replace(/\s+/g, " ").trim().slice(0, LONGEST_ALTERNATIVE);
    return asset === null ? [] : [{ place, asset, alternative: words }];
  });
  return { attachments, elsewhere: all.length - attachments.length };
}

/** Returns the name of the attachment at an address of GitHub's; null for any other address. */
export function assetOf(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !PLACES.test(url.pathname)) return null;
  return ASSET.exec(url.pathname)?.[1]?.toLowerCase() ?? null;
}

const COMMENT = /^https?:\/\/[^\s()]{1,300}\/(?:issues|pull)\/(\d{1,15})#issuecomment-(\d{1,15})$/;

/** Returns the place of a comment by its address on GitHub's pages; null for any other address. */
export function commentPlace(address: string): PicturePlace | null {
  const [, number, id] = COMMENT.exec(address) ?? [];
  return id === undefined ? null : { kind: "comment", number: Number(number), id: Number(id) };
}

function withoutComments(text: string): string {
  return text.replace(/<!--[^]*?(?:-->|$)/g, "");
}
