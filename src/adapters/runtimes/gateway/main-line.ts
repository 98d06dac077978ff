import type { AskedTurn, ToolResult } from "./dialects/dialect.ts";

/**
 * Tells the main line of a session, which is its conversation, from side requests: titles, summaries, the work of
 * sub-agents. The main line offers our tools; a request that does too, but neither continues it nor answers its calls
 * while it waits for them, belongs to another conversation.
 */
export class MainLine {
  readonly #isOurs: (raw: string) => boolean;
  #messages: readonly string[] = [];
  #results = 0;
  #answered: readonly string[] = [];
  /** The message after which no request has come yet, as JSON writes it. */
  #awaited: string | null = null;

  constructor(isOurs: (raw: string) => boolean) {
    this.#isOurs = isOurs;
  }

  /** How many results of tools its last request had. */
  get results(): number {
    return this.#results;
  }

  /** The ids of the newest results that it has brought, as the agent gives them. */
  get answered(): readonly string[] {
    return this.#answered;
  }

  /**
   * `answering` = the last request is not answered yet; `owed` are the ids of the calls whose results are still to come.
   */
  isMain(
    turn: AskedTurn,
    { answering, owed }: { readonly answering: boolean; readonly owed: readonly (string | null)[] },
  ): boolean {
    if (!turn.offered.some(this.#isOurs)) return false;
    if (this.#messages.length === 0 || this.#continues(turn)) return true;
    if (answering) return false;
    return owed.length === 0 || turn.results.some((result) => this.#isOwed(result, turn, owed));
  }

  /** Called before a message goes to the agent. */
  begin(message: string): void {
    this.#awaited = JSON.stringify(message).slice(1, -1);
  }

  /** Returns whether an agent has asked the last question again, of which it had no answer, before it read the new message. */
  isLate({ messages }: AskedTurn): boolean {
    if (this.#awaited === null || messages.length !== this.#messages.length) return false;
    const written = messages.map((message) => JSON.stringify(message));
    const isSame = written.every((message, index) => message === this.#messages[index]);
    return isSame && written.at(-1)?.includes(this.#awaited) !== true;
  }

  /** Returns whether the agent asks what the new message says, with tools of its own and none of ours: it has lost them. */
  lacksOurs({ messages, offered }: AskedTurn): boolean {
    const awaited = this.#awaited;
    if (awaited === null || offered.length === 0 || offered.some(this.#isOurs)) return false;
    // Some agents add a message of their own behind it.
    return messages.slice(-2).some((message) => JSON.stringify(message).includes(awaited));
  }

  /** Takes the request as the newest of the main line, with the places of the results that are new. */
  take(turn: AskedTurn, fresh: readonly number[]): void {
    if (fresh.length > 0) this.#answered = fresh.flatMap((place) => turn.results[place]?.id ?? []);
    this.#messages = turn.messages.map((message) => JSON.stringify(message));
    this.#results = turn.results.length;
    this.#awaited = null;
  }

  /** Without ids, one result more than before is one that is owed. */
  #isOwed({ id, name }: ToolResult, { results }: AskedTurn, owed: readonly (string | null)[]): boolean {
    return (id !== null && owed.includes(id)) || (name !== null && results.length > this.#results);
  }

  /** The last message of a longer conversation may have changed: agents add what they remind the model of to it. */
  #continues({ messages }: AskedTurn): boolean {
    const certain = this.#messages.length > 2 ? this.#messages.slice(0, -1) : this.#messages;
    if (messages.length < this.#messages.length) return false;
    return certain.every((before, index) => before === JSON.stringify(messages[index]));
  }
}
