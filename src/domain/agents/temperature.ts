import { z } from "zod";

/** From 0 to 1, the range that every provider takes. A minus zero is refused, because a request would hold another number than the role file. */
export const temperature = z
  .number()
  .min(0)
  .max(1)
  .refine((value) => !Object.is(value, -0), "write 0 without a sign.");

/** Parses the value of `temperature=`; null for anything but a number from 0 to 1. */
export function temperatureIn(typed: string): number | null {
  const value = /^[01](?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
  return value <= 1 ? value : null;
}
