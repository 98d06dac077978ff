import { AnswerValues } from "./answer-values.ts";
import type { AnswerPart, AnswerParts, Dialect } from "./dialects/dialect.ts";

/** cut = the provider broke it off; given_up = the agent wants no more of it. */
type AnswerEnd = "whole" | "cut" | "given_up";

/** Who learns of an answer while it is passed on. */
export interface AnswerListener {
  part(part: Exclude<AnswerPart, { type: "act" }>): void;
  /** Called once, at the end, before the agent can act on the answer. */
  end(answer: AnswerParts, how: AnswerEnd): void;
  /** Returns what ends an answer that breaks off, in place of an error; null where nothing does. */
  instead(): ReadableStream<Uint8Array> | null;
}

/**
 * Passes an answer on, and tells of it. What lets the agent act is held back until the answer is whole and told: the end
 * of a stream, from its first complete call on, and all of an answer that does not stream. Reads no further than the
 * consumer of the result.
 */
export function tellAnswer(answer: Response, dialect: Dialect, listener: AnswerListener): Response {
  const { body } = answer;
  if (body === null) {
    listener.end(dialect.answer(), "whole");
    return answer;
  }
  const reader = body.getReader();
  const reading = new Reading(dialect, listener, isStream(answer));
  const passed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await passNext(reader, reading, controller);
        } catch (error) {
          reading.end("cut");
          const instead = listener.instead();
          if (instead === null) return controller.error(error);
          for await (const chunk of instead) controller.enqueue(chunk);
          controller.close();
        }
      },
      cancel(reason) {
        // The call is counted first.
        const cancelled = reader.cancel(reason);
        reading.end("given_up");
        return cancelled;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(passed, answer);
}

function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").includes("event-stream");
}

async function passNext(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  reading: Reading,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      for (const chunk of reading.end("whole")) controller.enqueue(chunk);
      controller.close();
      return;
    }
    const chunks = reading.add(value);
    for (const chunk of chunks) controller.enqueue(chunk);
    if (chunks.length > 0) return;
  }
}

class Reading {
  readonly #values = new AnswerValues();
  readonly #answer: AnswerParts;
  readonly #listener: AnswerListener;
  #holds: boolean;
  #held: Uint8Array[] = [];
  #ended = false;

  constructor(dialect: Dialect, listener: AnswerListener, streams: boolean) {
    this.#answer = dialect.answer();
    this.#listener = listener;
    this.#holds = !streams;
  }

  /** Returns the chunks that may be passed on now. */
  add(chunk: Uint8Array): readonly Uint8Array[] {
    this.#see(this.#values.add(chunk));
    this.#held.push(chunk);
    // What nobody here can read is not kept either.
    return this.#holds && !this.#values.gaveUp ? [] : this.#release();
  }

  end(how: AnswerEnd): readonly Uint8Array[] {
    if (this.#ended) return [];
    this.#ended = true;
    if (how === "whole") this.#see(this.#values.end());
    this.#listener.end(this.#answer, how);
    return this.#release();
  }

  #see(values: readonly object[]): void {
    for (const value of values)
      for (const part of this.#answer.see(value))
        if (part.type === "act") this.#holds = true;
        else this.#listener.part(part);
  }

  #release(): readonly Uint8Array[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
