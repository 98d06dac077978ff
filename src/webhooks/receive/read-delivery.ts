import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { NewDelivery } from "../../domain/kernel/rows.ts";

const GUID = /^[A-Za-z0-9._:-]{1,128}$/;
const EVENT = /^[a-z0-9_]{1,64}$/;

/** Returns `X-GitHub-Delivery` if it is safe to store. */
export function deliveryGuid(headers: IncomingHttpHeaders): string | undefined {
  return matching(headers["x-github-delivery"], GUID);
}

/** Returns the row of a correctly signed webhook; undefined when its headers or its JSON are not GitHub's. */
export function readDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  receivedAt: number,
): NewDelivery | undefined {
  const guid = deliveryGuid(headers);
  const event = matching(headers["x-github-event"], EVENT);
  const text = utf8(body);
  const payload = text === undefined ? undefined : jsonObject(text);
  if (guid === undefined || event === undefined || text === undefined || payload === undefined) {
    return undefined;
  }
  const { action } = payload;
  return {
    guid,
    event,
    action: typeof action === "string" ? action : null,
    installationId: positive(payload, "installation", "id") ?? null,
    repositoryId: positive(payload, "repository", "id") ?? null,
    lane: laneOf(payload),
    payload: text,
    receivedAt,
  };
}

/**
 * Returns the lane, within which order matters: the issue or pull request, else the repository, else the
 * installation.
 */
function laneOf(payload: Fields): string {
  const repository = positive(payload, "repository", "id");
  const installation = positive(payload, "installation", "id");
  const number = positive(payload, "issue", "number") ?? positive(payload, "pull_request", "number");
  if (repository !== undefined) return number === undefined ? `${repository}` : `${repository}#${number}`;
  return installation === undefined ? "app" : `installation:${installation}`;
}

type Fields = Readonly<Record<string, unknown>>;

function positive(payload: Fields, object: string, field: string): number | undefined {
  const inner = payload[object];
  const value = isFields(inner) ? inner[field] : undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function jsonObject(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isFields(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the text, or undefined for invalid UTF-8: the stored text must give back the signed bytes. */
function utf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function matching(header: string | string[] | undefined, pattern: RegExp): string | undefined {
  return typeof header === "string" && pattern.test(header) ? header : undefined;
}
