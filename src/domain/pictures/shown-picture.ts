import { z } from "zod";
import { printableLine } from "../messages/printable.ts";
import { picturePlace } from "./picture-links.ts";

/** A picture that an agent was shown, as pull requests and `agents show` list it. */
export const shownPicture = z.strictObject({
  /** Its name at GitHub. */
  asset: z.string(),
  /** What its author says that it shows; may be empty. */
  alternative: z.string(),
  place: picturePlace,
  /** The SHA-256 digest of the file that GitHub sent. */
  hash: z.string(),
});
export type ShownPicture = z.infer<typeof shownPicture>;

/** Returns each picture once, from where it stands first. */
export function eachOnce<Known extends Pick<ShownPicture, "asset">>(
  pictures: readonly Known[],
): readonly Known[] {
  const seen = new Set<string>();
  return pictures.filter(({ asset }) => !seen.has(asset) && seen.add(asset));
}

/** Returns a picture as a line for a terminal. */
export function pictureWords({ asset, alternative, place, hash }: ShownPicture): string {
  const where = `${place.kind === "issue" ? "" : "a comment on "}#${place.number}`;
  return printableLine(`${alternative === "" ? asset : alternative} ${hash.slice(0, 7)}, in ${where}`);
}
