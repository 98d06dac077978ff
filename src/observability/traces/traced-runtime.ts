import type { Attributes, Span } from "@opentelemetry/api";
import type {
  AgentRuntime,
  AgentSession,
  ExchangeEnd,
  HostTool,
  RuntimeEvent,
  SessionSpec,
} from "../../domain/ports/agent-runtime.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import { attributesOf, failed, type Place, type Spans } from "./spans.ts";
import { ToolSpans } from "./tool-spans.ts";

interface Seen {
  readonly spans: Spans;
  /** Returns the log fields of the current work. */
  readonly fields: () => LogContext;
}

/** Wraps the runtime: each run of an agent has a span named `session`, with spans of its exchanges and tool calls below. */
export function tracedRuntime(runtime: AgentRuntime, seen: Seen): AgentRuntime {
  return {
    name: runtime.name,
    tools: runtime.tools,
    modes: runtime.modes,
    open: (spec) => openTraced(runtime, seen, spec),
    destroy: (session) => runtime.destroy(session),
    ...(runtime.portable === undefined ? {} : { portable: runtime.portable }),
    reap: (sessions) => runtime.reap(sessions),
  };
}

async function openTraced(
  runtime: AgentRuntime,
  { spans, fields }: Seen,
  spec: SessionSpec,
): Promise<AgentSession> {
  // The runtime's events arrive without log fields, so the spans take the fields of the opening, except its effect.
  const { effect: _opening, ...doing } = fields();
  const here = spans.here();
  const attributes = {
    ...attributesOf(doing),
    ...spans.delivery(),
    "gen_ai.conversation.id": spec.sessionId,
    "gen_ai.request.model": spec.model,
  };
  const period = spans.begin("session", {
    place: here === undefined ? { root: {} } : { below: here.spanContext() },
    attributes,
  });
  let exchange: Span | null = null;
  let counted = new Counted();
  const within = (): Place => ({ below: (exchange ?? period).spanContext() });
  const tools = new ToolSpans(spans, {
    doing,
    attributes,
    tools: spec.tools,
    runtimeTools: runtime.tools,
    capabilities: spec.capabilities,
    within,
  });
  try {
    const session = await spans.inside(period, doing, () =>
      runtime.open({
        ...spec,
        tools: spec.tools.map((tool) => traced(tool, tools)),
        onEvent: (event) => {
          counted.see(event);
          tools.see(event);
          spec.onEvent(event);
        },
      }),
    );
    period.setAttribute("flotilla.resumed", session.resumed);
    spans.goOnIn(period);
    return {
      resumed: session.resumed,
      version: session.version,
      async exchange(prompt, options) {
        const span = spans.begin("exchange", { place: { below: period.spanContext() }, attributes });
        exchange = span;
        counted = new Counted();
        const end = await spans.inside(span, doing, () => session.exchange(prompt, options));
        tools.over();
        span.setAttributes({ ...counted.attributes(), ...endOf(end) });
        if (end.kind === "model_error" || end.kind === "runtime_died") failed(span, end.kind);
        span.end();
        exchange = null;
        return end;
      },
      interrupt: () => session.interrupt(),
      probe: () => session.probe(),
      save: () => session.save(),
      async stop() {
        await session.stop();
        tools.over();
        period.end();
      },
    };
  } catch (error) {
    failed(period, error);
    period.end();
    throw error;
  }
}

function traced(tool: HostTool, tools: ToolSpans): HostTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    terminal: tool.terminal,
    call: (args, context) => tools.inside(context.toolCallId, tool.name, () => tool.call(args, context)),
  };
}

/** Counts what an exchange used. */
class Counted {
  #turns = 0;
  #input = 0;
  #output = 0;

  see(event: RuntimeEvent): void {
    if (event.type === "turn_started") this.#turns += 1;
    if (event.type !== "usage") return;
    this.#input += event.inputTokens;
    this.#output += event.outputTokens;
  }

  attributes(): Attributes {
    return {
      "flotilla.turns": this.#turns,
      "gen_ai.usage.input_tokens": this.#input,
      "gen_ai.usage.output_tokens": this.#output,
    };
  }
}

function endOf(end: ExchangeEnd): Attributes {
  if (end.kind !== "model_error") return { "flotilla.outcome": end.kind };
  return {
    "flotilla.outcome": end.kind,
    "flotilla.reason": end.reason,
    ...(end.status === undefined ? {} : { "http.response.status_code": end.status }),
  };
}
