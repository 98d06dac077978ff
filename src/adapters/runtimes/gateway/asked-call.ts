import { z } from "zod";
import type { Dialect } from "./dialects/dialect.ts";
import { fetchesElsewhere } from "./remote-content.ts";
import { sentPictures } from "./sent-pictures.ts";
import { tokensOf } from "./token-estimate.ts";

/** Maximum size of one request in bytes: the largest that a provider accepts. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** Paths of model calls below a provider's base URL. */
const CALLS = /^(?:\/openai)?(?:\/v1)?\/(?:chat\/completions|responses|messages)$/;

/** Fields by which a request could ask for another model, a later answer or another price. */
const asked = z.looseObject({
  models: z.null().optional(),
  fallbacks: z.null().optional(),
  background: z.literal(false).nullish(),
  service_tier: z.enum(["auto", "default", "flex", "standard", "standard_only"]).nullish(),
  serviceTier: z.enum(["flex", "standard"]).nullish(),
});

/** A model call that may be sent. */
export interface AskedCall {
  /**
   * Parsed, and to be written again, because a server may read a duplicate key differently; without what the provider
   * would do with a network of its own.
   */
  readonly body: object;
  /** An estimate. */
  readonly promptTokens: number;
}

/** Why a request is not sent: `code` for programs, `message` for people. */
export interface Refusal {
  readonly status: 400 | 403 | 413 | 429;
  readonly code: string;
  readonly message: string;
}

/** Returns whether a request to the provider is a model call; nothing else of the provider can be reached. */
export function isModelCall(method: string, url: string, baseUrl: string): boolean {
  const base = new URL(baseUrl).pathname.replace(/\/+$/, "");
  return method === "POST" && CALLS.test(new URL(url).pathname.slice(base.length));
}

/** Reads the body of a model call; refuses one that asks for anything but `model`. */
export function readCall(bytes: ArrayBuffer, model: string, dialect: Dialect): AskedCall | Refusal {
  const call = readBody(bytes, dialect);
  if ("code" in call) return call;
  const named: unknown = Reflect.get(call.body, "model");
  if (typeof named !== "string") return notPlain("model");
  return named === model
    ? call
    : { status: 403, code: "another_model", message: "only this session's own model is asked from here" };
}

/** Reads the body of a model call, whatever model it names. */
export function readBody(bytes: ArrayBuffer, dialect: Dialect): AskedCall | Refusal {
  if (bytes.byteLength > MOST_BYTES)
    return { status: 413, code: "too_large", message: `a request has at most ${MOST_BYTES} bytes` };
  const body = parsed(new TextDecoder().decode(bytes));
  const call = asked.safeParse(body);
  if (!call.success) return notPlain(call.error.issues[0]?.path.join(".") || "its body");
  const read: object = Object(body);
  if (fetchesElsewhere(dialect.read(read).messages)) return REMOTE_CONTENT;
  const pictures = sentPictures(read);
  return {
    body: dialect.plain(read),
    promptTokens: tokensOf(bytes.byteLength - pictures.characters) + pictures.tokens,
  };
}

const REMOTE_CONTENT: Refusal = {
  status: 403,
  code: "remote_content",
  message: "pictures and files go to the model by their content, not by an address",
};

function notPlain(what: string): Refusal {
  return {
    status: 400,
    code: "not_a_plain_call",
    message: `the request is not one that goes out from here (${what})`,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
