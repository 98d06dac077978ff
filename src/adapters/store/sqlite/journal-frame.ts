import { crc32 } from "node:zlib";
import { z } from "zod";
import type { NewDelivery } from "../../../domain/kernel/rows.ts";

/**
 * Size of the fields, size of the payload, and CRC-32 of both sizes and both parts: unsigned, 32 bits,
 * little-endian.
 */
const HEADER_BYTES = 12;
const COUNTS_BYTES = 8;

const fieldsOf = z.object({
  guid: z.string(),
  event: z.string(),
  action: z.string().nullable(),
  installationId: z.int().nullable(),
  repositoryId: z.int().nullable(),
  lane: z.string(),
  receivedAt: z.int(),
});

/** Encodes a delivery for the inbox's journal: its fields as JSON, then its payload unchanged. */
export function encodeFrame({ payload, ...fields }: NewDelivery): Buffer {
  const text = JSON.stringify(fields);
  const textBytes = Buffer.byteLength(text);
  const payloadBytes = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + textBytes + payloadBytes);
  frame.writeUInt32LE(textBytes, 0);
  frame.writeUInt32LE(payloadBytes, 4);
  frame.write(text, HEADER_BYTES);
  frame.write(payload, HEADER_BYTES + textBytes);
  frame.writeUInt32LE(sumOf(frame), COUNTS_BYTES);
  return frame;
}

/**
 * Decodes the complete frames at the beginning of the bytes, with the number of bytes that they take.
 * `wanted` is the size of the incomplete frame that follows, if it continues after the given bytes, else 0.
 */
export function decodeFrames(bytes: Buffer): {
  readonly deliveries: readonly NewDelivery[];
  readonly length: number;
  readonly wanted: number;
} {
  const deliveries: NewDelivery[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const textBytes = bytes.readUInt32LE(at);
    const end = at + HEADER_BYTES + textBytes + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return { deliveries, length: at, wanted: end - at };
    const frame = bytes.subarray(at, end);
    if (sumOf(frame) !== frame.readUInt32LE(COUNTS_BYTES)) break;
    const payloadAt = HEADER_BYTES + textBytes;
    const fields: unknown = JSON.parse(frame.toString("utf8", HEADER_BYTES, payloadAt));
    deliveries.push({ ...fieldsOf.parse(fields), payload: frame.toString("utf8", payloadAt) });
    at = end;
  }
  return { deliveries, length: at, wanted: 0 };
}

function sumOf(frame: Buffer): number {
  return crc32(frame.subarray(HEADER_BYTES), crc32(frame.subarray(0, COUNTS_BYTES)));
}
