import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";

/** A regular file below a directory; a packed file is nothing else, so what is unpacked is neither a link nor a pipe. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of all files together, before they are packed. */
export const MOST_BYTES = 32 * 1024 * 1024;

const table = z.strictObject({ files: z.array(z.tuple([z.string(), z.int().nonnegative()])) });
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Packs files: a line of JSON with their names and sizes, then their bytes, compressed. */
export async function packFiles(files: readonly PackedFile[]): Promise<Uint8Array> {
  const head = { files: files.map(({ name, bytes }) => [name, bytes.length]) };
  return compress(
    Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files.map(({ bytes }) => bytes)]),
  );
}

/** Returns the files of a pack. Throws where it is damaged, or larger than what is ever packed. */
export async function unpackFiles(packed: Uint8Array): Promise<readonly PackedFile[]> {
  const all = await decompress(packed, { maxOutputLength: 2 * MOST_BYTES });
  const end = all.indexOf("\n");
  const { files } = table.parse(JSON.parse(all.subarray(0, end).toString()));
  let from = end + 1;
  const found = files.map(([name, length]) => {
    const bytes = all.subarray(from, from + length);
    from += length;
    return { name, bytes };
  });
  if (end < 0 || from !== all.length) throw new Error("the pack is not whole");
  return found;
}
