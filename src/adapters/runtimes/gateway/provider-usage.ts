import { z } from "zod";

const count = z.int().nonnegative();

/** The usage fields of OpenAI's chat completions and responses, and of Anthropic's messages. */
const usage = z.looseObject({
  prompt_tokens: count.nullish(),
  completion_tokens: count.nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  input_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});

/** Those of Gemini, which counts thoughts apart. */
const metadata = z.looseObject({
  promptTokenCount: count.nullish(),
  toolUsePromptTokenCount: count.nullish(),
  candidatesTokenCount: count.nullish(),
  thoughtsTokenCount: count.nullish(),
  cachedContentTokenCount: count.nullish(),
});

const answer = z.looseObject({
  usageMetadata: z.unknown().optional(),
  usage: z.unknown().optional(),
  response: z.looseObject({ usage: z.unknown().optional() }).optional().catch(undefined),
  message: z.looseObject({ usage: z.unknown().optional() }).optional().catch(undefined),
});

/**
 * Usage that a provider has reported so far; undefined where it reported none. `cached` tokens are part of
 * `input`.
 */
export interface Said {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number;
}

export const SAID_NOTHING: Said = { input: undefined, output: undefined, cached: 0 };

/**
 * Reads the provider's own usage field from an answer or from one event of a stream. Text that the model
 * writes is in other fields and does not count.
 */
export function saidIn(value: unknown): Said {
  const parsed = answer.safeParse(value);
  if (!parsed.success) return SAID_NOTHING;
  const { usage: own, usageMetadata, response, message } = parsed.data;
  // Anthropic's first event has the prompt's tokens; a later one has the answer's final tokens.
  const begun = { ...read(message?.usage), output: undefined };
  return [read(own), readMetadata(usageMetadata), read(response?.usage), begun].reduce(more);
}

/** Counts of one call only grow while it streams. */
export function more(one: Said, other: Said): Said {
  return {
    input: larger(one.input, other.input),
    output: larger(one.output, other.output),
    cached: Math.max(one.cached, other.cached),
  };
}

function read(value: unknown): Said {
  const parsed = usage.safeParse(value);
  if (!parsed.success) return SAID_NOTHING;
  const it = parsed.data;
  // Anthropic counts cached tokens separately.
  const fresh = it.input_tokens ?? undefined;
  const apart = (it.cache_creation_input_tokens ?? 0) + (it.cache_read_input_tokens ?? 0);
  return {
    input: it.prompt_tokens ?? (fresh === undefined ? undefined : fresh + apart),
    output: it.completion_tokens ?? it.output_tokens ?? undefined,
    cached:
      it.prompt_tokens_details?.cached_tokens ??
      it.input_tokens_details?.cached_tokens ??
      it.cache_read_input_tokens ??
      0,
  };
}

function readMetadata(value: unknown): Said {
  const parsed = metadata.safeParse(value);
  if (!parsed.success) return SAID_NOTHING;
  const it = parsed.data;
  const { candidatesTokenCount: answered, thoughtsTokenCount: thought } = it;
  return {
    input: sum(it.promptTokenCount ?? undefined, it.toolUsePromptTokenCount),
    output: sum(answered ?? (thought === undefined || thought === null ? undefined : 0), thought),
    cached: it.cachedContentTokenCount ?? 0,
  };
}

function sum(one: number | undefined, other: number | null | undefined): number | undefined {
  return one === undefined ? undefined : one + (other ?? 0);
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : Math.max(one, other ?? 0);
}
