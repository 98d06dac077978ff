import { setImmediate } from "node:timers/promises";
import type { Shot, ShotDifference, ShotFault } from "../../domain/ports/camera.ts";
import { decoderFault, decoders } from "./decoders.ts";

/** Seconds for one picture. */
const LONGEST_WORK = 20;
/** How far a channel of a pixel may be off, of 255: rounding in the browser is no change. */
const TOLERANCE = 4;
const CHANNELS = 3;
/** How much of an unchanged pixel is left in the picture of the difference. */
const FADED = 0.3;
/** Red, green and blue of a pixel that changed. */
const CHANGED = [220, 20, 60] as const;
/** Bytes that are compared before others have their turn: a few milliseconds. */
const AT_ONCE = 300_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Re-encodes a screenshot, so that only its pixels are kept; or says why it cannot. Never rejects. */
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
    const { changed, marked } = await markedDifference(one.data, other.data);
    return { changed: changed / (width * height), picture: await written(marked, { width, height }) };
  } catch (error) {
    return { fault: decoderFault(error) ?? "the pictures cannot be compared" };
  }
}

/**
 * Compares the pixels of two pictures of one size. Returns how many differ, and the later picture in grey with these in red.
 * Lets others have their turn in between: there may be millions.
 */
export async function markedDifference(
  one: Uint8Array,
  other: Uint8Array,
): Promise<{ readonly changed: number; readonly marked: Uint8Array }> {
  const marked = new Uint8Array(other.length);
  let changed = 0;
  for (let start = 0; start < marked.length; start += AT_ONCE) {
    if (start > 0) await setImmediate();
    const end = Math.min(start + AT_ONCE, marked.length);
    for (let at = start; at < end; at += CHANNELS) if (markPixel(one, other, at, marked)) changed += 1;
  }
  return { changed, marked };
}

/** Writes one pixel of the difference; returns whether it differs. */
function markPixel(one: Uint8Array, other: Uint8Array, at: number, marked: Uint8Array): boolean {
  let sum = 0;
  let isDifferent = false;
  for (let channel = at; channel < at + CHANNELS; channel += 1) {
    const value = other[channel] ?? 0;
    sum += value;
    if (Math.abs((one[channel] ?? 0) - value) > TOLERANCE) isDifferent = true;
  }
  const grey = 255 - (255 - sum / CHANNELS) * FADED;
  const [red, green, blue] = CHANGED;
  marked[at] = isDifferent ? red : grey;
  marked[at + 1] = isDifferent ? green : grey;
  marked[at + 2] = isDifferent ? blue : grey;
  return isDifferent;
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

async function written(pixels: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const sharp = await decoders();
  return sharp(pixels, { raw: { width, height, channels: CHANNELS } })
    .webp({ lossless: true, effort: 3 })
    .timeout({ seconds: LONGEST_WORK })
    .toBuffer();
}
