import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { AnswerReader } from "./answer-reader.ts";
import { UsageCheck } from "./usage-check.ts";

/** Bytes of one answer: no model writes as much, and what is read of it is kept until its end. */
const MOST_BYTES = 64 * 1024 * 1024;

type Answer = Response["body"];

/** Where the calls of one session are counted. */
export type Payer = Pick<SessionSpec, "onEvent">;

/** One call that was sent. Whatever happens, it is counted once. */
export interface CallUnderWay {
  /** Counts nothing: the call was not sent, or the provider refused it. */
  free(): void;
  /** Counts a call without an answer. */
  lost(): void;
  /** Passes the answer on as it arrives, and counts the call at its end or when `cut` is aborted. */
  pass(answer: Answer, cut: AbortSignal): Answer;
}

/** The calls of one session that are not counted yet. */
export class CallsUnderWay {
  readonly check = new UsageCheck();
  readonly #prompts = new Map<symbol, number>();
  readonly #payer: Payer;
  readonly #onEstimated: (model: string) => void;

  /** `onEstimated` hears of each whole answer whose provider did not say all of its usage. */
  constructor(payer: Payer, onEstimated: (model: string) => void) {
    this.#payer = payer;
    this.#onEstimated = onEstimated;
  }

  get count(): number {
    return this.#prompts.size;
  }

  /** Returns the tokens of their prompts. */
  get promptTokens(): number {
    return [...this.#prompts.values()].reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Counts a call that begins; `model` is the one that is asked. */
  begin(promptTokens: number, model: string, onUsed?: (inputTokens: number) => void): CallUnderWay {
    const call = Symbol("call");
    const reader = new AnswerReader();
    this.#prompts.set(call, promptTokens);
    const book = (whole: boolean): void => {
      if (!this.#prompts.delete(call)) return;
      const { said, ...tokens } = reader.use(promptTokens, whole);
      if (said) this.check.counted(tokens);
      else if (whole) this.#onEstimated(model);
      this.#payer.onEvent({ type: "usage", model, ...tokens, answered: whole });
      onUsed?.(tokens.inputTokens);
    };
    return {
      free: () => void this.#prompts.delete(call),
      lost: () => book(false),
      pass: (answer, cut) => passOn(answer, { add: (chunk) => reader.add(chunk), end: book, cut }),
    };
  }
}

/** Reads no further than the consumer of the result. */
function passOn(
  answer: Answer,
  on: { add: (chunk: Uint8Array) => void; end: (whole: boolean) => void; cut: AbortSignal },
): Answer {
  const cut = (): void => on.end(false);
  const over = (whole: boolean): void => {
    on.cut.removeEventListener("abort", cut);
    on.end(whole);
  };
  if (answer === null) {
    over(true);
    return null;
  }
  on.cut.addEventListener("abort", cut);
  const reader = answer.getReader();
  let received = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) {
            over(true);
            controller.close();
          } else {
            received += value.byteLength;
            if (received > MOST_BYTES) throw new Error("the provider's answer is too long");
            on.add(value);
            controller.enqueue(value);
          }
        } catch (error) {
          over(false);
          controller.error(error);
          await reader.cancel(error).catch(() => undefined);
        }
      },
      cancel(reason) {
        over(false);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
