import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";
import type { HostTool, RuntimeEvent, RuntimeTools, SessionSpec } from "../../domain/ports/agent-runtime.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import type { Place, Spans } from "./spans.ts";

/** The model may call what there is not, by any name: that is a text of its own and stands nowhere. */
const UNKNOWN = "unknown";

/** The calls of one session: name, outcome and time of each, and nothing that was said with it. */
export class ToolSpans {
  readonly #spans: Spans;
  readonly #doing: LogContext;
  readonly #attributes: Attributes;
  readonly #within: () => Place;
  readonly #names: ReadonlySet<string>;
  /** By the model's own name for the call. */
  readonly #open = new Map<string, Span>();

  constructor(
    spans: Spans,
    of: Pick<SessionSpec, "capabilities"> & {
      readonly doing: LogContext;
      /** Of the session. */
      readonly attributes: Attributes;
      readonly tools: readonly Pick<HostTool, "name">[];
      readonly runtimeTools: RuntimeTools;
      /** Where a call that begins now belongs. */
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

  /** Does one of our tools in the span of its call. */
  inside<T>(toolCallId: string, toolName: string, work: () => Promise<T>): Promise<T> {
    return this.#spans.inside(this.#of(toolCallId, toolName), this.#doing, work);
  }

  /** What is still open was cut off. */
  over(): void {
    for (const toolCallId of this.#open.keys()) this.#end(toolCallId, "interrupted");
  }

  /** Begun by whoever tells of it first: the event, or the call. */
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
