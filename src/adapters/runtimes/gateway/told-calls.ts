import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { ToolResult, WrittenCall } from "./dialects/dialect.ts";
import type { CallEnd, ToldCall } from "./session-gateway.ts";

interface Call extends ToldCall {
  /** As the model wrote them. */
  readonly written: { readonly id: string | null; readonly name: string };
  end: CallEnd | null;
  /** The model has read its result. */
  seen: boolean;
}

/** The calls of tools in one conversation: each is told when the model has made it, and when it ended. */
export class ToldCalls {
  readonly #onEvent: SessionSpec["onEvent"];
  readonly #toolName: (raw: string) => string;
  #calls: readonly Call[] = [];
  #count = 0;
  /** Ids that were told before: some providers repeat theirs. */
  readonly #ids = new Set<string>();

  constructor({ onEvent }: Pick<SessionSpec, "onEvent">, toolName: (raw: string) => string) {
    this.#onEvent = onEvent;
    this.#toolName = toolName;
  }

  /** Tells of the calls of a new answer. Those before that nobody has told the end of have ended unseen. */
  made(written: readonly WrittenCall[]): void {
    this.forget();
    this.#calls = written.map(({ id, name, args }) => {
      const call = { id: this.#idOf(id), name: this.#toolName(name), args };
      return { ...call, written: { id, name }, end: null, seen: false };
    });
    for (const { id, name, args } of this.#calls)
      this.#onEvent({ type: "tool_started", toolCallId: id, toolName: name, args });
  }

  /** Returns the calls that have not ended. */
  open(): readonly ToldCall[] {
    return this.#calls.filter(({ end }) => end === null).map(({ id, name, args }) => ({ id, name, args }));
  }

  /** Returns the ids of the calls whose results the agent still owes, as the model wrote them; null = it gave none. */
  owed(): readonly (string | null)[] {
    return this.#calls.filter(({ seen }) => !seen).map(({ written }) => written.id);
  }

  ended(id: string, end: CallEnd): void {
    const call = this.#calls.find((one) => one.id === id) ?? this.#calls.find((one) => one.written.id === id);
    if (call?.end === null) this.#end(call, end);
  }

  /** Tells the end of all calls whose result is not to be seen any more. */
  forget(): void {
    for (const call of this.#calls)
      if (call.end === null)
        this.#end(call, { ok: false, denied: false, output: "The agent sent no result of this call." });
    this.#calls = [];
  }

  /**
   * Takes the results of a request, of which the first `before` were in the request before, and tells the ends of their
   * calls. Returns those that the model reads for the first time, by their place in `results`, oldest first.
   */
  results(
    results: readonly ToolResult[],
    before: number,
  ): ReadonlyMap<number, ToldCall & { readonly end: CallEnd }> {
    const found = new Map<number, ToldCall & { readonly end: CallEnd }>();
    for (const call of this.#calls.toReversed()) {
      if (call.seen) continue;
      const place = results.findLastIndex(
        (result, index) => !found.has(index) && isOf(result, call, index >= before),
      );
      const result = results[place];
      if (result === undefined) continue;
      call.seen = true;
      if (call.end === null) this.#end(call, { ok: !result.failed, denied: false, output: result.text });
      if (call.end !== null)
        found.set(place, { id: call.id, name: call.name, args: call.args, end: call.end });
    }
    return new Map([...found].toSorted(([one], [other]) => one - other));
  }

  #end(call: Call, end: CallEnd): void {
    call.end = end;
    this.#onEvent({ type: "tool_ended", toolCallId: call.id, ...end });
  }

  #idOf(given: string | null): string {
    let id = given;
    while (id === null || this.#ids.has(id)) {
      this.#count += 1;
      id = `${given ?? "call"}-${this.#count}`;
    }
    this.#ids.add(id);
    return id;
  }
}

/** By its id; where the agent gives it one of its own or none, by its tool, among those that are new. */
function isOf({ id, name }: ToolResult, { written }: Call, isNew: boolean): boolean {
  if (id !== null && id === written.id) return true;
  return name !== null && isNew && name === written.name;
}
