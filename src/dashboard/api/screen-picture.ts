import { z } from "zod";
import { SCREEN_PICTURES } from "../../domain/evidence/screens.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Answer, NOT_FOUND } from "../../http/answer.ts";

/** What all pictures are, whatever the app served. */
export const PICTURE = "image/webp";

const asked = z.object({ screen: z.string().regex(/^\d{1,15}$/), picture: z.enum(SCREEN_PICTURES) });

/** Answers one picture of an agent that the viewer may read. */
export async function screenPictureRead(
  { screens }: Pick<Tables, "screens">,
  agentId: number,
  at: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { data } = asked.safeParse(at);
  const bytes = data === undefined ? null : await screens.picture(agentId, Number(data.screen), data.picture);
  if (bytes === null) return NOT_FOUND;
  return {
    status: 200,
    body: bytes,
    headers: {
      "content-type": PICTURE,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    },
  };
}
