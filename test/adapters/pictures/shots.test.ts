import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { compareShots, markedDifference, readShot } from "../../../src/adapters/pictures/shots.ts";

const SIZE = { width: 20, height: 10 };

const plain = (background: { r: number; g: number; b: number }, size = SIZE) =>
  sharp({ create: { ...size, channels: 3, background } });
const GREEN = { r: 0, g: 128, b: 0 };

async function shotOf(image: Sharp): Promise<Uint8Array> {
  const shot = await readShot(await image.png().toBuffer(), SIZE);
  if ("fault" in shot) throw new Error(shot.fault);
  return shot.bytes;
}

/** A green picture with a field of another colour. */
async function withField(colour: { r: number; g: number; b: number }, width: number): Promise<Uint8Array> {
  const field = await plain(colour, { width, height: 10 }).png().toBuffer();
  return shotOf(plain(GREEN).composite([{ input: field, left: 0, top: 0 }]));
}

describe("a picture of a page", () => {
  test("is written anew with the same pixels and nothing else", async () => {
    const given = await plain(GREEN)
      .png()
      .withExif({ IFD0: { Artist: "Mallory" } })
      .toBuffer();
    const shot = await readShot(given, SIZE);
    const bytes = "bytes" in shot ? shot.bytes : Buffer.alloc(0);
    const { format, width, height, exif } = await sharp(bytes).metadata();
    expect({ format, width, height, exif }).toEqual({ format: "webp", ...SIZE, exif: undefined });
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([0, 128, 0]);
  });

  test("of another size is refused, a larger one before it is decoded", async () => {
    const fault = { fault: "its picture has another size" };
    expect(await readShot(await plain(GREEN, { width: 10, height: 10 }).png().toBuffer(), SIZE)).toEqual(
      fault,
    );
    expect(
      await readShot(await plain(GREEN, { width: 21, height: 10 }).png().toBuffer(), SIZE),
    ).toMatchObject({
      fault: "its picture cannot be read",
    });
  });

  test.each([
    "",
    "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'/>",
    "\u0089PNG\r\n\u001A\n",
  ])("that is none is refused: %j", async (text) => {
    expect(await readShot(Buffer.from(text, "latin1"), SIZE)).toEqual({
      fault: "its picture cannot be read",
    });
  });
});

describe("two pictures", () => {
  test("that are alike differ in nothing", async () => {
    expect(await compareShots(await shotOf(plain(GREEN)), await shotOf(plain(GREEN)))).toMatchObject({
      changed: 0,
    });
  });

  test("differ in the share of pixels that changed, which are red in the third", async () => {
    const found = await compareShots(await shotOf(plain(GREEN)), await withField({ r: 0, g: 0, b: 255 }, 5));
    expect(found).toMatchObject({ changed: 0.25 });
    const pixels = await sharp("picture" in found ? found.picture : "")
      .raw()
      .toBuffer();
    const at = (x: number) => [...pixels.subarray(x * 3, x * 3 + 3)];
    expect(at(4)).toEqual([220, 20, 60]);
    expect(new Set(at(5)).size).toBe(1);
  });

  test("that differ by rounding alone are alike", async () => {
    const found = await compareShots(await shotOf(plain(GREEN)), await withField({ r: 2, g: 126, b: 3 }, 5));
    expect(found).toMatchObject({ changed: 0 });
  });

  test("of millions of pixels leave others their turn", async () => {
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    const { changed } = await markedDifference(new Uint8Array(6_000_000), new Uint8Array(6_000_000).fill(9));
    clearImmediate(next);
    expect(changed).toBe(2_000_000);
    expect(turns).toBeGreaterThan(10);
  });
});
