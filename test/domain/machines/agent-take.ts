import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { AgentEmission } from "../../../src/domain/agents/agent-emission.ts";
import type { ResolvedAgentEvent } from "../../../src/domain/agents/agent-event.ts";
import type { AgentRecord, AgentState } from "../../../src/domain/agents/agent-record.ts";
import type { Effect } from "../../../src/domain/kernel/effect.ts";
import { type Moved, step } from "../../../src/domain/kernel/state-machine.ts";
import { moved } from "./moved.ts";

/** The move of an agent that must be taken. */
export function took(
  agent: AgentRecord | undefined,
  event: ResolvedAgentEvent,
): Moved<AgentState, AgentRecord, Effect, AgentEmission> {
  return moved(step(agentMachine, agent, event, newAgentRecord));
}

/** What a move tells the other machines, as `run INPUT_NEEDED`. */
export function told({ emits }: { readonly emits: readonly AgentEmission[] }): readonly string[] {
  return emits.map(({ machine, event }) => `${machine} ${event.type}`);
}

/** What a move asks for outside, by kind; a comment by what it is about, a label by its name. */
export function asked({ effects }: { readonly effects: readonly Effect[] }): readonly string[] {
  return effects.map((effect) => {
    switch (effect.kind) {
      case "post_comment":
        return `comment ${effect.name}`;
      case "add_labels":
        return `label ${effect.labels.join(",")}`;
      case "remove_label":
        return `unlabel ${effect.label}`;
      case "close_session":
        return effect.destroy ? "destroy session" : "keep session";
      case "remove_worktree":
        return effect.quiet ? "remove worktree, telling nobody" : effect.kind;
      default:
        return effect.kind;
    }
  });
}

/** The text of a move's one comment. */
export function commentOf({ effects }: { readonly effects: readonly Effect[] }): string {
  const bodies = effects.flatMap((effect) => (effect.kind === "post_comment" ? [effect.body] : []));
  if (bodies.length !== 1) throw new Error(`${bodies.length} comments instead of one`);
  return bodies.join("");
}
