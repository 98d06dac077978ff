import { type Redact, settledLength } from "../../domain/access/redact.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { DecisionRule } from "../../domain/decisions/rules.ts";
import { ERROR_STATUS, type ErrorCode } from "../../domain/kernel/error-code.ts";
import type { ToolCallRow } from "../../domain/kernel/rows.ts";
import type { RunEvent } from "../../domain/kernel/run-event.ts";
import { cleanValue } from "../../domain/messages/printable.ts";
import type { RuntimeEvent, ToolCall, ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { canonicalCall } from "../../domain/questions/approval.ts";
import { canonical } from "../../domain/sessions/fingerprint.ts";
import { mayCall } from "../../domain/sessions/tool-names.ts";
import type { Instructions } from "../instructions/instructions.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { recordDecision } from "../kernel/record-decision.ts";
import { appendRunEvents, clean, subjectOf } from "../kernel/run-events.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import type { AgentServices } from "../services/agent-services.ts";
import type { ConversationKeeper } from "./conversation-keeper.ts";
import type { Guards } from "./guards.ts";
import { interruptCalls } from "./interrupt-calls.ts";
import type { Meter } from "./meter.ts";
import type { SessionObserver } from "./session-observer.ts";
import type { WorkSaver } from "./work-saver.ts";

/** The dependencies of the observers. */
export interface Observed {
  readonly agent: AgentRecord;
  readonly role: Role;
  /** Counts before the observers receive an event: `meter.turn` is the event's turn. */
  readonly meter: Meter;
  readonly guards: Guards;
  readonly instructions: Instructions;
  readonly services: AgentServices;
  readonly saver: WorkSaver;
  readonly keeper: ConversationKeeper;
  /** Shared, so that the rows of all observers keep the order of the events. */
  readonly writes: WriteQueue;
}

type Started = Extract<RuntimeEvent, { type: "tool_started" }>;
type Ended = Extract<RuntimeEvent, { type: "tool_ended" }>;

/** The session to record; `meter.turn` is the turn of a call. */
type Recorded = Pick<Observed, "agent" | "role" | "writes"> & {
  readonly meter: Pick<Meter, "turn" | "writeCalls">;
};

/** A call that has begun and not ended. */
interface OpenCall extends ToolCall {
  readonly toolCallId: string;
  /** The name of its row: that of an earlier call, where the agent makes a call again for which it waited. */
  row: string;
  /** The gate decides on it, or has decided. */
  taken: boolean;
}

/** A call on which the gate decides; `open` is unknown where the runtime has not reported its start yet. */
interface Decided {
  readonly call: ToolCall;
  readonly open: OpenCall | undefined;
}

/**
 * Records what an agent does in an exchange: the audit of its tool calls, and the events for live viewers.
 */
export class SessionRecord implements SessionObserver {
  readonly #context: EngineContext;
  readonly #observed: Recorded;
  readonly #speech: TokenStream;
  /** By id. */
  readonly #calls = new Map<string, OpenCall>();
  /** Calls that were let go before the runtime reported their start. */
  #ahead: ToolCall[] = [];
  /** Ids of calls that wait for a person: what the runtime reports of their end is only the refusal. */
  readonly #waiting = new Set<string>();
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
      case "model_changed":
        this.#modelChanged(event);
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

  #modelChanged({ from, to, reason }: Extract<RuntimeEvent, { type: "model_changed" }>): void {
    const { agent, writes } = this.#observed;
    writes.add(() =>
      this.#context.store.transaction((tables) =>
        appendRunEvents(this.#context, tables, subjectOf(agent), [
          { type: "agent:model", data: { from, to, reason } },
        ]),
      ),
    );
  }

  /** Called when the gate begins to decide; of identical calls, it takes the one that began first. */
  decides(call: ToolCall): Decided {
    const open = [...this.#calls.values()].find((one) => !one.taken && isSame(one, call));
    if (open !== undefined) open.taken = true;
    return { call, open };
  }

  /** Called by the gate: when a refusal ends the exchange, the runtime may report no end for the call. */
  refused({ open, call }: Decided, answer: { readonly reason: string; readonly asked?: string }): void {
    const { agent, writes } = this.#observed;
    const refused = open ?? this.decides(call).open;
    if (refused === undefined) return;
    const { toolCallId } = refused;
    const { asked, reason } = answer;
    if (asked === undefined)
      return this.#ended({ type: "tool_ended", toolCallId, ok: false, denied: true, output: reason });
    this.#calls.delete(toolCallId);
    this.#waiting.add(toolCallId);
    writes.add(() =>
      this.#context.store.toolCalls.wait({ agentId: agent.id, toolCallId: refused.row, asked }),
    );
  }

  /** Called by the gate when every check has passed: the call runs once it is written that it may. */
  async letGo({ open, call }: Decided): Promise<ToolGateAnswer> {
    const { meter, writes } = this.#observed;
    const known = open ?? this.decides(call).open;
    if (known === undefined) this.#ahead.push(call);
    let isWritten = false;
    writes.add(async () => {
      await this.#context.store.transaction(async (tables) => {
        await meter.writeCalls(tables);
        if (known !== undefined) await this.#runs(tables, known);
      });
      isWritten = true;
    });
    await writes.flush();
    if (isWritten) return { allow: true };
    const reason = "The call could not be recorded, so it was not made.";
    this.refused({ open: known, call }, { reason });
    return { allow: false, reason, endExchange: false };
  }

  /** Marks calls that never reported an end as interrupted: no call outlives its exchange. */
  async flush(): Promise<void> {
    this.#inPieces = false;
    this.#speech.end();
    this.#calls.clear();
    this.#waiting.clear();
    this.#ahead = [];
    const { agent, writes } = this.#observed;
    writes.add(() => interruptCalls(this.#context, agent.id));
    await writes.flush();
  }

  #started({ toolCallId, toolName, args }: Started): void {
    const { agent, meter, writes } = this.#observed;
    const ahead = this.#ahead.findIndex((call) => isSame(call, { toolName, args }));
    if (ahead >= 0) this.#ahead.splice(ahead, 1);
    const open: OpenCall = { toolCallId, toolName, args, row: toolCallId, taken: ahead >= 0 };
    this.#calls.set(toolCallId, open);
    this.#waiting.delete(toolCallId);
    const input = inputOf(this.#context, args);
    const agentId = agent.id;
    const { turn } = meter;
    const at = this.#context.clock.now();
    const asked = this.#context.digest(canonicalCall(open));
    writes.add(() =>
      this.#context.store.transaction(async (tables) => {
        const waited = await tables.toolCalls.again({ agentId, asked, turn, at });
        if (waited === undefined) {
          await tables.toolCalls.start({ agentId, toolCallId, tool: toolName, input, turn, at });
          await appendRunEvents(this.#context, tables, subjectOf(agent), [
            { type: "tool:start", data: { call: toolCallId, tool: toolName, input } },
          ]);
        } else open.row = waited.toolCallId;
        if (ahead >= 0) await this.#runs(tables, open);
      }),
    );
  }

  async #runs(tables: Tables, { row, toolName }: OpenCall): Promise<void> {
    const { agent } = this.#observed;
    await tables.toolCalls.letGo({ agentId: agent.id, toolCallId: row });
    await appendRunEvents(this.#context, tables, subjectOf(agent), [
      { type: "tool:running", data: { call: row, tool: toolName } },
    ]);
  }

  #ended({ toolCallId, ok, denied, output }: Ended): void {
    const { agent, role, meter, writes } = this.#observed;
    if (this.#waiting.delete(toolCallId)) return;
    const open = this.#calls.get(toolCallId);
    // A tool that the runtime does not know never reached the gate.
    const permitted = mayCall(role, open?.toolName ?? "", runtimeToolsOf(this.#context, agent));
    const refused = denied || !permitted;
    this.#calls.delete(toolCallId);
    const status = refused ? "denied" : ok ? "success" : "failure";
    const code = !permitted ? "tool_not_allowed" : status === "failure" ? "tool_failed" : null;
    const cleaned = clean(this.#context, output);
    const at = this.#context.clock.now();
    writes.add(() =>
      this.#context.store.transaction(async (tables) => {
        await meter.writeCalls(tables);
        const row = await tables.toolCalls.end({
          agentId: agent.id,
          toolCallId: open?.row ?? toolCallId,
          status,
          output: cleaned,
          at,
        });
        if (row === undefined) return;
        await appendRunEvents(this.#context, tables, subjectOf(agent), [
          {
            type: "tool:result",
            data: {
              call: row.toolCallId,
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

/** Returns whether two calls ask for the same. */
function isSame(one: ToolCall, other: ToolCall): boolean {
  return one.toolName === other.toolName && canonical(one.args) === canonical(other.args);
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
