import type { Redact } from "./redact.ts";

/** Far beyond what is kept of any text; what lies after it is not even looked at. */
const LOOKED_AT = 262_144;

/** Texts of models and tools as they are kept and shown: no control characters, no secrets, `max` characters at the most. */
export function cleanText(text: string, redact: Redact, max: number): string {
  const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  // Control characters go first: one in the middle would hide a secret.
  return truncated(redact(withoutControls(looked)), max, text.length - looked.length);
}

/** Every text in a value of JSON, cleaned; keys are ours and stay. */
export function cleanValue<T>(value: T, clean: (text: string) => string): T;
export function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one: unknown) => cleanValue(one, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, cleanValue<unknown>(one, clean)]),
  );
}

/** Tabs and line ends stay. */
function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/(?![\t\n])\p{Cc}/gu, "");
}

function truncated(text: string, max: number, unseen: number): string {
  if (text.length + unseen <= max) return text;
  // Not between the two halves of one character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  const kept = text.slice(0, end);
  return `${kept}… [${text.length + unseen - kept.length} more characters]`;
}
