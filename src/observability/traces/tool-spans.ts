import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";
import type { HostTool, RuntimeEvent, RuntimeTools, SessionSpec } from "../../domain/ports/agent-runtime.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import type { Place, Spans } from "./spans.ts";

/** The name of a tool that does not exist: a model can make up any text, which no span may contain. */
const UNKNOWN = "unknown";

/** Records the tool calls of one run: name, outcome and time, never their content. */
export class ToolSpans {
  readonly #spans: Spans;
  readonly #doing: LogContext;
  readonly #attributes: Attributes;
  readonly #within: () => Place;
  readonly #names: ReadonlySet<string>;
  /** Open spans by the runtime's id of the call. */
  readonly #open = new Map<string, Span>();

  constructor(
    spans: Spans,
    of: Pick<SessionSpec, "capabilities"> & {
      readonly doing: LogContext;
      /** Attributes of the run's span. */
      readonly attributes: Attributes;
      readonly tools: readonly Pick<HostTool, "name">[];
      readonly runtimeTools: RuntimeTools;
      /** Returns the parent for a call that begins now. */
      readonly within: () => Place;
    },
  ) {
    this.#spans = spans;
    this.#doing = of.doing;
    this.#attributes = of.attributes;
    this.#within = of.within;
    this.#names = new Set([
      ...of.tools.map(({ name }) => name),
      ...[...of.runtimeTools]
        .filter(([, { capability }]) => capability !== null && of.capabilities.includes(capability))
        .map(([name]) => name),
    ]);
  }

  see(event: RuntimeEvent): void {
    if (event.type === "tool_started") this.#of(event.toolCallId, event.toolName);
    if (event.type === "tool_ended")
      this.#end(event.toolCallId, event.denied ? "denied" : event.ok ? "success" : "failure");
  }

  /** Runs one of our tools in the span of its call. */
  inside<T>(toolCallId: string, toolName: string, work: () => Promise<T>): Promise<T> {
    return this.#spans.inside(this.#of(toolCallId, toolName), this.#doing, work);
  }

  /** Ends the open spans as interrupted. */
  over(): void {
    for (const toolCallId of this.#open.keys()) this.#end(toolCallId, "interrupted");
  }

  /** Returns the call's span. The first of the runtime's event and the call itself opens it. */
  #of(toolCallId: string, toolName: string): Span {
    const open = this.#open.get(toolCallId);
    if (open !== undefined) return open;
    const name = this.#names.has(toolName) ? toolName : UNKNOWN;
    const span = this.#spans.begin(`tool ${name}`, {
      place: this.#within(),
      attributes: { ...this.#attributes, "gen_ai.tool.name": name },
    });
    this.#open.set(toolCallId, span);
    return span;
  }

  #end(toolCallId: string, outcome: "success" | "failure" | "denied" | "interrupted"): void {
    const span = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    span?.setAttribute("flotilla.outcome", outcome);
    if (outcome === "failure") span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }
}
