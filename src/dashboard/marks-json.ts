import type { AgentRecord } from "../core/machines/agent-record.ts";

/** An agent's time to live, labels and tags as the API shows them; `ends_at` is when the time to live is over. */
export function marksJson({
  ttlMs,
  createdAt,
  labels,
  tags,
}: Pick<AgentRecord, "ttlMs" | "createdAt" | "labels" | "tags">) {
  return {
    ttl_seconds: ttlMs === null ? null : ttlMs / 1000,
    ends_at: ttlMs === null ? null : new Date(createdAt + ttlMs).toISOString(),
    labels: Object.fromEntries(labels.map((label): [string, string] => pairOf(label))),
    tags,
  };
}

function pairOf(label: string): [key: string, value: string] {
  const at = label.indexOf("=");
  return [label.slice(0, at), label.slice(at + 1)];
}
