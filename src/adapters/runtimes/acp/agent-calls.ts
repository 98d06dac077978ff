import { randomUUID } from "node:crypto";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { SessionSpec, ToolCall, ToolGateAnswer } from "../../../domain/ports/agent-runtime.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { canonical } from "../../../domain/sessions/fingerprint.ts";
import type { CallEnd, SessionGateway, ToldCall } from "../gateway/session-gateway.ts";

export type Decision =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: string; readonly endExchange: boolean };

/** A call that is about to run. `id` is the model's, or ours where the model made no such call. */
export interface ClaimedCall extends ToolCall {
  readonly id: string;
}

type Session = Pick<SessionSpec, "sessionId" | "gate" | "onEvent">;

const UNCHECKED: Decision = {
  allow: false,
  reason: "The call could not be checked, so it was not made.",
  endExchange: false,
};

/**
 * Matches what an agent runs with what its model called, which the gateway has read, and asks the gate about each call
 * once. The agent may lie: a call that its model did not make is reported as a separate call.
 */
export class AgentCalls {
  readonly #session: Session;
  readonly #gateway: Pick<SessionGateway, "calls" | "told">;
  readonly #log: Log;
  /** The model's calls that have been matched, by id, with what was decided. A model may use an id again. */
  readonly #claimed = new Map<string, Promise<Decision> | null>();
  /** Calls that the model did not make: reported here, and not ended yet. */
  readonly #ours = new Set<string>();

  constructor(
    session: Session,
    { gateway, log }: { readonly gateway: Pick<SessionGateway, "calls" | "told">; readonly log: Log },
  ) {
    this.#session = session;
    this.#gateway = gateway;
    this.#log = log;
  }

  /** Called for each call that the gateway tells. */
  announced(id: string): void {
    this.#claimed.delete(id);
  }

  /** Takes the model's call for one that reached us, by its name and, of several, by its arguments. */
  claim(call: ToolCall): ClaimedCall {
    const alike = this.#free().filter(({ name }) => name === call.toolName);
    const found = alike.find(({ args }) => canonical(args) === canonical(call.args)) ?? alike[0];
    const id = found?.id ?? `unannounced-${randomUUID()}`;
    this.#claimed.set(id, null);
    if (found === undefined) {
      this.#ours.add(id);
      this.#session.onEvent({ type: "tool_started", toolCallId: id, ...call });
    }
    return { id, ...call };
  }

  /** Returns the model's call that fits best; undefined where it has made none that could be meant. */
  find(fits: readonly ((call: ToldCall) => boolean)[]): ToldCall | undefined {
    const all = this.#gateway.calls();
    const free = this.#free();
    for (const fit of fits) {
      const found = free.find(fit) ?? all.find(fit);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Asks the gate, once for each call of the model, however often the agent asks. A gate that throws denies. */
  decide(call: ClaimedCall): Promise<Decision> {
    const decided = this.#claimed.get(call.id) ?? this.#ask({ toolName: call.toolName, args: call.args });
    this.#claimed.set(call.id, decided);
    return decided;
  }

  /** Tells how a call ended. */
  ended(id: string, end: CallEnd): void {
    if (this.#ours.delete(id)) this.#session.onEvent({ type: "tool_ended", toolCallId: id, ...end });
    else this.#gateway.told(id, end);
  }

  #free(): readonly ToldCall[] {
    return this.#gateway.calls().filter(({ id }) => !this.#claimed.has(id));
  }

  async #ask(call: ToolCall): Promise<Decision> {
    try {
      const answer: ToolGateAnswer = await this.#session.gate(call);
      return answer;
    } catch (error) {
      const { sessionId: session } = this.#session;
      const { toolName: tool } = call;
      this.#log.error({ session, tool, detail: messageOf(error) }, "tool call denied: the gate failed");
      return UNCHECKED;
    }
  }
}
