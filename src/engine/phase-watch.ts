import type { RuntimeEvent } from "../core/ports/agent-runtime.ts";
import type { EngineContext } from "./context.ts";
import { leavePlanning } from "./leave-planning.ts";
import { changes } from "./reading-tools.ts";

/** Moves the Run out of planning or adapting with the first tool call that changes something. */
export class PhaseWatch {
  #left = false;
  readonly #context: EngineContext;
  readonly #agentId: number;

  constructor(context: EngineContext, agentId: number) {
    this.#context = context;
    this.#agentId = agentId;
  }

  observe(event: RuntimeEvent): void {
    if (event.type === "message" || event.type === "turn_started") this.#left = false;
    if (this.#left || event.type !== "tool_started" || !changes(event.toolName)) return;
    this.#left = true;
    leavePlanning(this.#context, this.#agentId).catch((error: unknown) => {
      this.#context.log.warn({ error, agentId: this.#agentId }, "recording the phase failed");
    });
  }
}
