import type { Shot, ShotDifference, ShotFault } from "../../domain/ports/camera.ts";
import { decoderFault, decoders } from "./decoders.ts";

/** Seconds for one picture. */
const LONGEST_WORK = 20;
/** How far a channel of a pixel may be off, of 255: rounding in the browser is no change. */
const TOLERANCE = 4;
const CHANNELS = 3;
/** How much of an unchanged pixel is left in the picture of the difference. */
const FADED = 0.3;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Writes a picture of a page anew, without what a file may hold beside its pixels; or says why not. Never rejects. */
export async function readShot(png: Uint8Array, { width, height }: Size): Promise<Shot | ShotFault> {
  try {
    const { data, info } = await raw(png, width * height);
    if (info.width !== width || info.height !== height) return { fault: "its picture has another size" };
    return { bytes: await written(data, info) };
  } catch (error) {
    return { fault: decoderFault(error) ?? "its picture cannot be read" };
  }
}

/** Compares two pictures of one size, pixel by pixel. Never rejects. */
export async function compareShots(
  before: Uint8Array,
  after: Uint8Array,
): Promise<ShotDifference | ShotFault> {
  try {
    const [one, other] = [await raw(before), await raw(after)];
    const { width, height } = other.info;
    if (one.info.width !== width || one.info.height !== height)
      return { fault: "the pictures have different sizes" };
    const marked = Buffer.alloc(other.data.length);
    let changed = 0;
    for (let at = 0; at < marked.length; at += CHANNELS) {
      const differs = isDifferent(one.data, other.data, at);
      if (differs) changed += 1;
      const grey =
        255 -
        (255 - (other.data.readUInt8(at) + other.data.readUInt8(at + 1) + other.data.readUInt8(at + 2)) / 3) *
          FADED;
      marked.set(differs ? [220, 20, 60] : [grey, grey, grey], at);
    }
    return { changed: changed / (width * height), picture: await written(marked, { width, height }) };
  } catch (error) {
    return { fault: decoderFault(error) ?? "the pictures cannot be compared" };
  }
}

function isDifferent(one: Buffer, other: Buffer, at: number): boolean {
  for (let channel = at; channel < at + CHANNELS; channel += 1)
    if (Math.abs(one.readUInt8(channel) - other.readUInt8(channel)) > TOLERANCE) return true;
  return false;
}

/** Pixels of what the host wrote itself are not limited. */
async function raw(file: Uint8Array, most?: number) {
  const sharp = await decoders();
  return sharp(file, { ...(most === undefined ? {} : { limitInputPixels: most }), failOn: "error", pages: 1 })
    .timeout({ seconds: LONGEST_WORK })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}

async function written(pixels: Buffer, { width, height }: Size): Promise<Uint8Array> {
  const sharp = await decoders();
  return sharp(pixels, { raw: { width, height, channels: CHANNELS } })
    .webp({ lossless: true, effort: 3 })
    .timeout({ seconds: LONGEST_WORK })
    .toBuffer();
}
