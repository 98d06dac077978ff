import { z } from "zod";
import type { ExchangeEnd } from "../ports/agent-runtime.ts";
import type { Role } from "./role.ts";

/** From 0 to 2. A minus zero is refused, because a request would hold another number than the role file. */
export const temperature = z
  .number()
  .min(0)
  .max(2)
  .refine((value) => !Object.is(value, -0), "write 0 without a sign.");

/** Parses the value of `temperature=`; null for anything but a number from 0 to 2. */
export function temperatureIn(typed: string): number | null {
  const value = /^[0-2](?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
  return value <= 2 ? value : null;
}

/**
 * Says what to change where the provider refuses a call because of its temperature. `chosen` is the temperature of the
 * start; null = the role's own was sent. Any other end stays as it is.
 */
export function explained(
  end: ExchangeEnd,
  { name, temperature: sent }: Pick<Role, "name" | "temperature">,
  chosen: number | null,
): ExchangeEnd {
  const names = end.kind === "model_error" && end.reason === "invalid_request";
  if (sent === undefined || !names || !/temperature/i.test(end.detail)) return end;
  const change =
    chosen === null
      ? `Change \`temperature\` in the role file of ${name}, or take it out.`
      : `Say \`/flotilla start ${name}\` with another \`temperature=\`, or without it for the \`temperature\` of the role file.`;
  const detail = `the provider does not take the temperature ${sent} of ${name} with this model. ${change} The provider says: ${end.detail}`;
  return { ...end, detail };
}
