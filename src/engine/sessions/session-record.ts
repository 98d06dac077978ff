import { type Redact, settledLength } from "../../domain/access/redact.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { DecisionRule } from "../../domain/decisions/rules.ts";
import { ERROR_STATUS, type ErrorCode } from "../../domain/kernel/error-code.ts";
import type { ToolCallRow } from "../../domain/kernel/rows.ts";
import type { RunEvent } from "../../domain/kernel/run-event.ts";
import { cleanValue } from "../../domain/messages/printable.ts";
import type { RuntimeEvent, ToolCall } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import { canonical } from "../../domain/sessions/fingerprint.ts";
import { mayCall } from "../../domain/sessions/tool-names.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { recordDecision } from "../kernel/record-decision.ts";
import { appendRunEvents, clean, subjectOf } from "../kernel/run-events.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import type { Guards } from "./guards.ts";
import { interruptCalls } from "./interrupt-calls.ts";
import type { Meter } from "./meter.ts";
import type { SessionObserver } from "./session-observer.ts";

/** The dependencies of the observers. */
export interface Observed {
  readonly agent: AgentRecord;
  readonly role: Role;
  /** Counts before the observers receive an event: `meter.turn` is the event's turn. */
  readonly meter: Meter;
  readonly guards: Guards;
  /** Shared, so that the rows of all observers keep the order of the events. */
  readonly writes: WriteQueue;
}

type Started = Extract<RuntimeEvent, { type: "tool_started" }>;
type Ended = Extract<RuntimeEvent, { type: "tool_ended" }>;

/** The session to record; `meter.turn` is the turn of a call. */
type Recorded = Pick<Observed, "agent" | "role" | "writes"> & { readonly meter: { readonly turn: number } };

/**
 * Records what an agent does in an exchange: the audit of its tool calls, and the events for live viewers.
 */
export class SessionRecord implements SessionObserver {
  readonly #context: EngineContext;
  readonly #observed: Recorded;
  readonly #speech: TokenStream;
  /** Running calls by id. */
  readonly #calls = new Map<string, ToolCall>();
  /** The current message arrived in pieces, so its full text is not recorded again. */
  #inPieces = false;

  constructor(context: EngineContext, observed: Recorded) {
    this.#context = context;
    this.#observed = observed;
    this.#speech = new TokenStream({
      clock: context.clock,
      redact: context.redact,
      emit: (text) => this.#write([{ type: "stream:token", data: { text } }]),
    });
  }

  observe(event: RuntimeEvent): void {
    switch (event.type) {
      case "message_delta":
        this.#inPieces = true;
        this.#speech.add(event.text);
        break;
      case "message":
        if (!this.#inPieces) this.#speech.add(event.text);
        this.#inPieces = false;
        this.#speech.end();
        break;
      case "tool_started":
        this.#speech.end();
        this.#started(event);
        break;
      case "tool_ended":
        this.#ended(event);
        break;
      case "model_call_refused":
        this.#decided("model_call_refused", event.reason, null);
        break;
      case "usage_differs": {
        const { counted, reported } = event;
        const reason = `the runtime reported ${reported} tokens of model calls, and ${counted} were counted`;
        this.#decided("usage_differs", reason, { counted, reported });
        break;
      }
      default:
    }
  }

  /**
   * Called by the gate. When a refusal ends the exchange, the runtime may report no end for the call; of two
   * identical calls, it ends the one that began first.
   */
  refused({ toolName, args }: ToolCall, reason: string): void {
    const asked = canonical(args);
    for (const [toolCallId, call] of this.#calls) {
      if (call.toolName !== toolName || canonical(call.args) !== asked) continue;
      return this.#ended({ type: "tool_ended", toolCallId, ok: false, denied: true, output: reason });
    }
  }

  /** Marks calls that never reported an end as interrupted: no call outlives its exchange. */
  async flush(): Promise<void> {
    this.#inPieces = false;
    this.#speech.end();
    this.#calls.clear();
    const { agent, writes } = this.#observed;
    writes.add(() => interruptCalls(this.#context, agent.id));
    await writes.flush();
  }

  #started({ toolCallId, toolName, args }: Started): void {
    const { agent, meter, writes } = this.#observed;
    this.#calls.set(toolCallId, { toolName, args });
    const input = inputOf(this.#context, args);
    const call = { agentId: agent.id, toolCallId, tool: toolName, input, turn: meter.turn };
    const at = this.#context.clock.now();
    writes.add(() =>
      this.#context.store.transaction(async (tables) => {
        await tables.toolCalls.start({ ...call, at });
        await appendRunEvents(this.#context, tables, subjectOf(agent), [
          { type: "tool:start", data: { call: toolCallId, tool: toolName, input } },
        ]);
      }),
    );
  }

  #ended({ toolCallId, ok, denied, output }: Ended): void {
    const { agent, role, writes } = this.#observed;
    // A tool that the runtime does not know never reached the gate.
    const permitted = mayCall(role, this.#calls.get(toolCallId)?.toolName ?? "", this.#context.runtime.tools);
    const refused = denied || !permitted;
    this.#calls.delete(toolCallId);
    const status = refused ? "denied" : ok ? "success" : "failure";
    const code = !permitted ? "tool_not_allowed" : status === "failure" ? "tool_failed" : null;
    const cleaned = clean(this.#context, output);
    const at = this.#context.clock.now();
    writes.add(() =>
      this.#context.store.transaction(async (tables) => {
        const row = await tables.toolCalls.end({
          agentId: agent.id,
          toolCallId,
          status,
          output: cleaned,
          at,
        });
        if (row === undefined) return;
        await appendRunEvents(this.#context, tables, subjectOf(agent), [
          {
            type: "tool:result",
            data: {
              call: toolCallId,
              tool: row.tool,
              status,
              output: cleaned,
              duration_ms: row.durationMs,
            },
          },
          ...(code === null ? [] : [toolError(code, row, cleaned)]),
        ]);
      }),
    );
  }

  #decided(rule: DecisionRule, reason: string, inputs: unknown): void {
    const { agent, writes } = this.#observed;
    const { id: agentId, repositoryId, issue } = agent;
    const at = this.#context.clock.now();
    const decision = { rule, reason, inputs, at, agentId, repositoryId, issue, change: null, delivery: null };
    writes.add(() => this.#context.store.transaction((tables) => recordDecision(tables, decision, false)));
  }

  #write(events: Parameters<typeof appendRunEvents>[3]): void {
    const { agent, writes } = this.#observed;
    writes.add(() => appendRunEvents(this.#context, this.#context.store, subjectOf(agent), events));
  }
}

/** Returns the error of a failed tool; the run continues after it. A call that waits for a person is not an error. */
function toolError(
  code: ErrorCode,
  { tool, toolCallId }: Pick<ToolCallRow, "tool" | "toolCallId">,
  output: string,
): RunEvent {
  const error = output === "" ? `${tool} failed and gave no reason` : output;
  return {
    type: "agent:error",
    data: { code, status: ERROR_STATUS[code], error, recoverable: true, details: { tool, call: toolCallId } },
  };
}

/** Cleans the arguments before they become JSON, which escapes control characters, and again as a whole. */
function inputOf(context: EngineContext, args: unknown): string {
  return clean(context, JSON.stringify(cleanValue(args, (text) => clean(context, text))) ?? "");
}

/** Pieces are collected this long, which makes at most a few rows per second. */
const GATHER_MS = 500;
/** Characters of one row. */
const LONGEST_PIECE = 2000;

/**
 * Collects the model's streamed text into longer pieces. Holds back what may be the beginning of a secret
 * until it is complete, so that no secret is shown in two halves.
 */
export class TokenStream {
  #text = "";
  #cancel: (() => void) | null = null;
  readonly #clock: Clock;
  readonly #redact: Redact;
  readonly #emit: (text: string) => void;

  /** `emit` receives each piece, redacted. */
  constructor(parts: { clock: Clock; redact: Redact; emit: (text: string) => void }) {
    this.#clock = parts.clock;
    this.#redact = parts.redact;
    this.#emit = parts.emit;
  }

  add(text: string): void {
    this.#text += text;
    this.#cancel ??= this.#clock.after(GATHER_MS, () => {
      this.#cancel = null;
      this.#release(settledLength(this.#text));
    });
  }

  /** Emits everything held back, at the end of a message. */
  end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#release(this.#text.length);
  }

  #release(length: number): void {
    const ready = this.#redact(this.#text.slice(0, length));
    this.#text = this.#text.slice(length);
    for (let start = 0; start < ready.length; start += LONGEST_PIECE)
      this.#emit(ready.slice(start, start + LONGEST_PIECE));
  }
}
