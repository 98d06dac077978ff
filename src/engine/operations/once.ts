/** A person repeats a request within minutes: because an answer was lost, or a page was sent twice. */
const MOST_REMEMBERED = 1000;

/**
 * Remembers the last requests that were carried out, so that the same one again, by the name that its asker gave it, gets
 * the answer of the first and does nothing. A request that was refused is forgotten. A restart forgets all.
 */
export class Once {
  readonly #answers = new Map<string, Promise<unknown>>();

  do<Result>(
    operation: string,
    wish: { readonly id?: string | undefined },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (wish.id === undefined) return work();
    const request = JSON.stringify([operation, wish]);
    const known = this.#answers.get(request);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each operation has one name and one type of answer, and the name is part of the key
    if (known !== undefined) return known as Promise<Result>;
    const answer = work();
    this.#answers.set(request, answer);
    const forget = (): void => void this.#answers.delete(request);
    // False says that there was nothing to do.
    answer.then((done) => done === false && forget(), forget);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_REMEMBERED) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }
}
