import { z } from "zod";

const count = z.int().nonnegative();

/** The fields by which OpenAI's chat completions and responses, and Anthropic's messages, say what a call came to. */
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

const answer = z.looseObject({
  usage: z.unknown().optional(),
  response: z.looseObject({ usage: z.unknown().optional() }).optional().catch(undefined),
  message: z.looseObject({ usage: z.unknown().optional() }).optional().catch(undefined),
});

/** What a provider said so far; undefined where it said nothing. `cached` tokens are among `input`. */
export interface Said {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number;
}

export const SAID_NOTHING: Said = { input: undefined, output: undefined, cached: 0 };

/**
 * Reads the provider's own usage field from an answer or from one event of a streamed one. What the model writes is text in
 * other fields and counts for nothing.
 */
export function saidIn(value: unknown): Said {
  const parsed = answer.safeParse(value);
  if (!parsed.success) return SAID_NOTHING;
  const { usage: own, response, message } = parsed.data;
  // Anthropic's first event has the prompt's tokens; the answer's are final in a later one.
  const begun = { ...read(message?.usage), output: undefined };
  return [read(own), read(response?.usage), begun].reduce(more);
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
  // Anthropic counts the tokens of its cache apart from the others.
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

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : Math.max(one, other ?? 0);
}
