import {
  LONGEST_SIDE,
  MOST_PIXELS,
  MOST_SHOWN,
  type Picture,
  type PictureFault,
} from "../../domain/pictures/picture.ts";
import { decoderFault, decoders } from "./decoders.ts";

/** Seconds for one picture. */
const LONGEST_WORK = 20;
/** From good to just readable. */
const QUALITIES = [85, 70, 50];

/** Writes a picture anew, as a model gets it; or says why not. Never rejects. */
export async function readPicture(bytes: Uint8Array): Promise<Picture | PictureFault> {
  try {
    const sharp = await decoders();
    for (const quality of QUALITIES) {
      const written = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", pages: 1 })
        .timeout({ seconds: LONGEST_WORK })
        .autoOrient()
        .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: "inside", withoutEnlargement: true })
        .flatten({ background: "white" })
        .jpeg({ quality, chromaSubsampling: "4:4:4" })
        .toBuffer();
      if (written.byteLength <= MOST_SHOWN) return { mediaType: "image/jpeg", bytes: written };
    }
    return { fault: "it is too large for a message, even made smaller" };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  if (/pixel limit/i.test(said)) return `it has more than ${MOST_PIXELS / 1e6} million pixels`;
  return decoderFault(error) ?? "it is not a PNG, JPEG, GIF or WebP picture, or it is damaged";
}
