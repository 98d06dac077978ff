import {
  LONGEST_SIDE,
  MOST_PIXELS,
  MOST_SHOWN,
  type Picture,
  type PictureFault,
} from "../../domain/pictures/picture.ts";

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

let loaded: ReturnType<typeof load> | undefined;

/** Loads the decoders with the first picture: where they are not installed, only pictures are missing. */
const decoders = () => (loaded ??= load());

async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadNsgif", "VipsForeignLoadWebp"],
  });
  return sharp;
}

function faultOf(error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  if (/pixel limit/i.test(said)) return `it has more than ${MOST_PIXELS / 1e6} million pixels`;
  if (/timeout/i.test(said)) return "it took too long to decode";
  if (/sharp module|ERR_MODULE_NOT_FOUND|Cannot find package/i.test(said))
    return "the host has no decoder for pictures: reinstall the package sharp";
  return "it is not a PNG, JPEG, GIF or WebP picture, or it is damaged";
}
