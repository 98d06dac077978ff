import type { SessionEvent } from "@github/copilot-sdk";

type EventOf<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

/** An event of the SDK with the fields that a test is about. */
export function sdkEvent<T extends SessionEvent["type"]>(
  type: T,
  data: Partial<EventOf<T>["data"]>,
  agentId?: string,
): SessionEvent {
  // The tests give a part of an event's fields only, so the whole is made without its type.
  const event = { id: "e", parentId: null, timestamp: "2026-01-01T00:00:00Z", type, data, agentId };
  return JSON.parse(JSON.stringify(event));
}
