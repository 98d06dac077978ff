import type { AgentEvent } from "../../domain/agents/agent-event.ts";

/** Returns the text of an event that people read, or null. */
export function reasonOf(wish: AgentEvent): string | null {
  switch (wish.type) {
    case "BLOCKED":
      return `#${wish.blocker}: ${wish.reason}`;
    case "WAIT":
      return `${wish.reason}: ${wish.detail}`;
    case "PAUSE":
    case "REOPEN":
    case "CANCEL":
    case "HANDOFF":
      return wish.why;
    case "COMPLETE":
      return wish.summary;
    case "ESCALATE":
    case "FAIL":
    case "WAKE":
      return wish.reason;
    case "EXPIRE":
      return wish.waited;
    case "REVIVE":
      return wish.previous.reason;
    case "CREATE":
    case "START":
    case "RESUME":
      return null;
  }
}
