import { messageOf } from "../../../domain/kernel/errors.ts";
import type { SessionSpec, ToolCall, ToolGate } from "../../../domain/ports/agent-runtime.ts";
import { canonical } from "../../../domain/sessions/fingerprint.ts";

type Session = Pick<SessionSpec, "gate" | "tools" | "onEvent">;
type Denial = Awaited<ReturnType<typeof askGate>>;

/**
 * Tracks one session's calls between gate and tools. The runtime asks the gate without a call id and runs the
 * tool by its id later. A process that writes into the runtime's pipe can skip the first step. Therefore one of
 * our tools runs only for a call that the gate has allowed, and each permission is used once.
 */
export class GatedCalls {
  /** Announced calls that have not run yet, by id. */
  readonly #announced = new Map<string, string>();
  /** Allowed calls of our tools. */
  #passed: string[] = [];
  /** Ids of calls that have run. A model may reuse an id: the call is then announced again. */
  readonly #served = new Set<string>();
  readonly #session: Session;
  readonly #on: { limit: () => void; fault: (toolName: string, detail: string) => void };

  constructor(
    session: Session,
    on: { limit: () => void; fault: (toolName: string, detail: string) => void },
  ) {
    this.#session = session;
    this.#on = on;
  }

  /** Records that a call begins. */
  announce(id: string, call: ToolCall): void {
    this.#announced.set(id, keyOf(call));
    this.#served.delete(id);
  }

  /** Decides whether a call may run, for the runtime's tools and ours. */
  async ask(call: ToolCall): Promise<Denial> {
    const denial = await this.#gate(call);
    const isOurs = this.#session.tools.some(({ name }) => name === call.toolName);
    if (denial === undefined && isOurs) this.#passed.push(keyOf(call));
    return denial;
  }

  /** Returns why the runtime may not run this tool of ours; undefined if it may. */
  async refusal(id: string, call: ToolCall): Promise<string | undefined> {
    const key = keyOf(call);
    if (this.#served.has(id)) return "This call has run already: make another one.";
    const announced = this.#announced.get(id);
    if (announced !== undefined && announced !== key) return "Another call was announced by this id.";
    this.#served.add(id);
    this.#announced.delete(id);
    const pass = this.#passed.indexOf(key);
    if (pass >= 0) {
      this.#passed.splice(pass, 1);
      return undefined;
    }
    // The runtime did not announce this call, so its start is recorded here.
    if (announced === undefined) this.#session.onEvent({ type: "tool_started", toolCallId: id, ...call });
    return (await this.#gate(call))?.permissionDecisionReason;
  }

  /** Withdraws all permissions at the end of the exchange. */
  forget(): void {
    this.#announced.clear();
    this.#passed = [];
  }

  #gate(call: ToolCall): Promise<Denial> {
    return askGate(this.#session.gate, call, {
      limit: this.#on.limit,
      fault: (detail) => this.#on.fault(call.toolName, detail),
    });
  }
}

function keyOf({ toolName, args }: ToolCall): string {
  return `${toolName}\n${canonical(args)}`;
}

/**
 * Asks the gate before a tool runs; undefined passes the call on to the permission rules. An error of the
 * gate counts as a denial, because the runtime would run the tool when this throws.
 */
export async function askGate(
  gate: ToolGate,
  call: ToolCall,
  on: { limit: () => void; fault: (detail: string) => void },
): Promise<{ permissionDecision: "deny"; permissionDecisionReason: string } | undefined> {
  try {
    const answer = await gate(call);
    if (answer.allow) return undefined;
    if (answer.endExchange) on.limit();
    return { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  } catch (error) {
    on.fault(messageOf(error));
    return {
      permissionDecision: "deny",
      permissionDecisionReason: "The call could not be checked, so it was not made.",
    };
  }
}
