import type { Clock } from "../../../domain/ports/clock.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { AnswerValues } from "./answer-values.ts";
import type { Dialect, Fault } from "./dialects/dialect.ts";

/** A model without a word after this time is thinking. */
const WAIT_MS = 5000;
/** What comes before a first word is shorter. */
const MOST_BYTES = 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** How an answer begins that a provider has announced with 200. */
interface Beginning {
  /** An error that comes before the model's first word, or what is wrong where there is no word; null where it answers. */
  readonly fault: Fault | null;
  /** The whole answer. */
  readonly body: ReadableStream<Bytes>;
}

/** Where a provider has nothing to say after its 200. */
export const NO_CONTENT: Fault = { code: "no_answer", message: "the provider's answer has no content" };

/**
 * Reads an answer until the model's first word, for some seconds at most: providers report an overload there too, and
 * another model can be asked as long as nothing is passed on. Rejects where the answer breaks off before.
 */
export async function untilFirstWord(
  answer: ReadableStream<Bytes>,
  dialect: Dialect,
  clock: Pick<Clock, "after">,
): Promise<Beginning> {
  const opening = new Opening(answer, dialect);
  const looking = opening.look();
  const fault = await withTimeout(clock, WAIT_MS, looking, () => {
    opening.isOver = true;
    return null;
  });
  const body = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (opening.held.length === 0) await looking;
        const held = opening.held.splice(0);
        for (const chunk of held) controller.enqueue(chunk);
        if (held.length === 0) await opening.passNext(controller);
      },
      cancel: (reason) => opening.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { fault, body };
}

class Opening {
  readonly held: Bytes[] = [];
  isOver = false;
  hasEnded = false;
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  readonly #dialect: Dialect;

  constructor(answer: ReadableStream<Bytes>, dialect: Dialect) {
    this.#reader = answer.getReader();
    this.#dialect = dialect;
  }

  async look(): Promise<Fault | null> {
    const [values, parts] = [new AnswerValues(), this.#dialect.answer()];
    let [bytes, seen] = [0, 0];
    while (!this.isOver && bytes < MOST_BYTES) {
      const { value, done } = await this.#reader.read();
      if (!done) this.held.push(value);
      bytes += value?.byteLength ?? 0;
      for (const found of value === undefined ? values.end() : values.add(value)) {
        seen += 1;
        const hasWord = parts.see(found).length > 0;
        const fault = parts.fault();
        if (fault !== null || hasWord) return fault;
      }
      this.hasEnded = done;
      if (done) return seen === 0 ? NO_CONTENT : null;
    }
    return null;
  }

  async passNext(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    const { value } = this.hasEnded ? { value: undefined } : await this.#reader.read();
    if (value === undefined) controller.close();
    else controller.enqueue(value);
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
