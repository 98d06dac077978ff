import type { AgentEvent } from "../../domain/agents/agent-event.ts";

/** Returns the text of an event that people read, or null. */
export function reasonOf(event: AgentEvent): string | null {
  switch (event.type) {
    case "BLOCKED":
      return `#${event.blocker}: ${event.reason}`;
    case "WAIT":
      return `${event.reason}: ${event.detail}`;
    case "PAUSE":
    case "REOPEN":
    case "CANCEL":
    case "HANDOFF":
      return event.why;
    case "COMPLETE":
      return event.summary;
    case "ESCALATE":
    case "FAIL":
    case "WAKE":
      return event.reason;
    case "EXPIRE":
      return event.waited;
    case "REVIVE":
      return event.previous.reason;
    case "CREATE":
    case "START":
    case "RESUME":
      return null;
  }
}
