import { OperationError } from "../../domain/commands/operation-fault.ts";

/** Requests remembered. A repeat comes within minutes: the answer was lost, or a page was sent twice. */
const MOST_REMEMBERED = 1000;

interface Remembered {
  /** The operation and its whole body. */
  readonly request: string;
  readonly answer: Promise<unknown>;
}

/**
 * Remembers the last successful requests by the caller's id. A repeated request gets the first answer and
 * does nothing; a different request with the same id is refused. A refused request is forgotten; a restart
 * forgets all.
 */
export class RequestMemory {
  readonly #remembered = new Map<string, Remembered>();

  async do<Result>(
    operation: string,
    body: { readonly id?: string | undefined },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { id } = body;
    if (id === undefined) return work();
    const request = JSON.stringify([operation, body]);
    const known = this.#remembered.get(id);
    if (known !== undefined) {
      if (known.request !== request) throw new OperationError({ code: "id_reused", id });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each operation has one name and one type of answer, and the name is part of the request
      return known.answer as Promise<Result>;
    }
    const answer = work();
    this.#remembered.set(id, { request, answer });
    const forget = (): void => void this.#remembered.delete(id);
    // False means that there was nothing to do.
    answer.then((done) => done === false && forget(), forget);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= MOST_REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
    return answer;
  }
}
