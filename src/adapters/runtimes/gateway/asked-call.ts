import { z } from "zod";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { sentPictures } from "./sent-pictures.ts";
import { tokensOf } from "./token-estimate.ts";

/** Maximum size of one request in bytes: the largest that a provider accepts. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Paths of model calls below a provider's base URL. */
const CALLS = /^(?:\/openai)?(?:\/v1)?\/(?:chat\/completions|responses|messages)$/;

/** Fields by which a request could ask for another model, a later answer or another price. */
const asked = z.looseObject({
  model: z.string(),
  models: z.null().optional(),
  fallbacks: z.null().optional(),
  background: z.literal(false).nullish(),
  service_tier: z.enum(["auto", "default", "flex", "standard", "standard_only"]).nullish(),
});

/** A model call that may be sent. */
export interface AskedCall {
  /** Parsed, and to be written again, because a server may read a duplicate key differently. */
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

/**
 * Reads the body of a model call; refuses one that asks for anything but the session's own `model`. A `temperature` of
 * the session replaces that of the request in its place, or is added at the end, so that all else stays as it was
 * and equal requests stay equal. All APIs have it under this name.
 */
export function readCall(
  bytes: ArrayBuffer,
  { model, temperature }: Pick<SessionSpec, "model" | "temperature">,
): AskedCall | Refusal {
  if (bytes.byteLength > MOST_BYTES)
    return { status: 413, code: "too_large", message: `a request has at most ${MOST_BYTES} bytes` };
  const body = parsed(new TextDecoder().decode(bytes));
  const call = asked.safeParse(body);
  if (!call.success) {
    const [issue] = call.error.issues;
    const message = `the request is not one that goes out from here (${issue?.path.join(".") || "its body"})`;
    return { status: 400, code: "not_a_plain_call", message };
  }
  if (call.data.model !== model)
    return {
      status: 403,
      code: "another_model",
      message: "only this session's own model is asked from here",
    };
  const read: object = Object(body);
  const pictures = sentPictures(read);
  return {
    body: temperature === undefined ? read : { ...read, temperature },
    promptTokens: tokensOf(bytes.byteLength - pictures.characters) + pictures.tokens,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
