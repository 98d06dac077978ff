import { nearLimits, type Used, type WarnedLimit, warningText } from "../core/limit-warning.ts";
import type { Limits } from "../core/limits.ts";
import type { HostTool } from "../core/ports/agent-runtime.ts";
import type { Log } from "../core/ports/log.ts";

/** Warns of each limit once a period: the log at once, the model with the next thing that it reads from us. */
export class LimitWarnings {
  readonly #warned = new Set<WarnedLimit>();
  #untold: string[] = [];
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #agent: string;

  constructor(options: { limits: Limits; log: Log; agent: string }) {
    this.#limits = options.limits;
    this.#log = options.log;
    this.#agent = options.agent;
  }

  look(used: Used): void {
    for (const { limit, words } of nearLimits(used, this.#limits)) {
      if (this.#warned.has(limit)) continue;
      this.#warned.add(limit);
      this.#untold.push(words);
      this.#log.warn({ agent: this.#agent, limit, used: words }, "an agent comes near a limit");
    }
  }

  /** `text` with the warning that was not told yet behind it. */
  tell(text: string): string {
    const untold = this.#untold;
    this.#untold = [];
    return untold.length === 0 ? text : `${text}\n\n${warningText(untold)}`;
  }

  /** The tool, whose answers carry the warning. */
  on(tool: HostTool): HostTool {
    return {
      ...tool,
      call: async (args, given) => {
        const answer = await tool.call(args, given);
        return { ...answer, text: this.tell(answer.text) };
      },
    };
  }
}
