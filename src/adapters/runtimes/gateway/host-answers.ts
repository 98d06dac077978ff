import type { Dialect, Fault } from "./dialects/dialect.ts";
import type { RefusedAnswer } from "./exchange-refusal.ts";
import { tokensOf } from "./token-estimate.ts";

/** What the model says, for agents and for itself later, where the host ends a turn. */
const ENDING = "The turn ends here.";
/** Characters kept of a refusal. */
const MOST_OF_REFUSAL = 64 * 1024;

/** The answers that the host gives in place of the provider, in the form of its API. */
export class HostAnswers {
  readonly #dialect: Dialect;
  readonly #model: string;

  constructor(dialect: Dialect, model: string) {
    this.#dialect = dialect;
    this.#model = model;
  }

  /** Counts of tokens are asked for free; nothing else but calls is answered here. */
  noCall(pathname: string, bytes: number): Response {
    const tokens = tokensOf(bytes);
    if (/[/:]count_?tokens$/i.test(pathname))
      return Response.json({ input_tokens: tokens, totalTokens: tokens });
    return this.error({
      status: 404,
      code: "not_a_model_call",
      message: "only model calls go out from here",
    });
  }

  error(refusal: Fault & { readonly status: number }): Response {
    return answerOf(this.refused(refusal));
  }

  refused(refusal: Fault & { readonly status: number }): RefusedAnswer {
    const { status } = refusal;
    const headers = new Headers({ "content-type": "application/json" });
    if (status === 429) headers.set("retry-after", "1");
    return { status, headers, body: JSON.stringify(this.#dialect.error(refusal)) };
  }

  /** An answer that ends the turn and costs nothing. */
  ending(streams: boolean): Response {
    const { contentType, body } = this.#dialect.ending(ENDING, { model: this.#model, streams });
    return new Response(body, { headers: { "content-type": contentType } });
  }
}

export function answerOf({ status, headers, body }: RefusedAnswer): Response {
  return new Response(body, { status, headers });
}

/** Returns the beginning of the body of an error. */
export async function beginningOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_OF_REFUSAL) break;
  }
  return text.slice(0, MOST_OF_REFUSAL);
}
