import type { SessionEvent } from "@github/copilot-sdk";
import type { RuntimeFailure } from "./model-error.ts";

/**
 * The phase of one exchange, derived from its events. waiting = our message is not accepted yet; running =
 * the model works; resting = the model has stopped, but a background shell continues and may wake it; over =
 * nothing is left.
 */
interface ExchangeProgress {
  see(event: SessionEvent): void;
  /** The runtime's id of our message; known when `send` returns, which may be after its first events. */
  accepted(messageId: string): void;
  stage(): "waiting" | "running" | "resting" | "over";
  readonly lastMessage: string;
  readonly aborted: boolean;
  /** The model's last failure that no later message has followed. */
  readonly failure: RuntimeFailure | undefined;
}

/** Idle events of an earlier exchange can arrive late: only those after our own message count. */
export function createExchangeProgress(): ExchangeProgress {
  let taken: readonly string[] = [];
  let ours: string | undefined;
  let stage: "running" | "resting" | "over" = "running";
  let lastMessage = "";
  let aborted = false;
  let failure: RuntimeFailure | undefined;
  let refused = false;

  function see(event: SessionEvent): void {
    if (event.agentId !== undefined) return;
    switch (event.type) {
      case "user.message":
        if (event.data.messageId !== undefined) taken = [...taken, event.data.messageId];
        stage = "running";
        aborted = false;
        failure = undefined;
        break;
      case "assistant.turn_start":
        stage = "running";
        break;
      case "assistant.message":
        failure = undefined;
        if (event.data.content !== "") lastMessage = event.data.content;
        break;
      case "session.error":
        failure = event.data;
        break;
      case "assistant.idle":
        if (event.data.aborted) aborted = true;
        if (stage !== "over") stage = "resting";
        break;
      case "session.idle":
        if (event.data.aborted) aborted = true;
        stage = "over";
        // A message can be refused before it is accepted, for example for a missing credential.
        refused = failure !== undefined;
        break;
      default:
    }
  }

  return {
    see,
    accepted: (messageId) => {
      ours = messageId;
    },
    stage: () => (refused || (ours !== undefined && taken.includes(ours)) ? stage : "waiting"),
    get lastMessage() {
      return lastMessage;
    },
    get aborted() {
      return aborted;
    },
    get failure() {
      return failure;
    },
  };
}
