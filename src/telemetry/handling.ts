import { SpanKind } from "@opentelemetry/api";
import type { DeliveryRow } from "../core/rows.ts";
import { ofDelivery } from "./origins.ts";
import { attributesOf, type Spans } from "./spans.ts";

/**
 * One try to handle a delivery, in a span below the delivery's arrival. What settles it inside says how it came out; of one
 * that nobody uses, the answer does.
 */
export async function handleTraced<T extends "handled" | { readonly ignored: string }>(
  spans: Spans,
  { guid, event, action, repositoryId, attempts }: DeliveryRow,
  work: () => Promise<T>,
): Promise<T> {
  const doing = { delivery: guid };
  const span = spans.begin(`handle ${action === null ? event : `${event}.${action}`}`, {
    place: { below: ofDelivery(guid).root },
    kind: SpanKind.CONSUMER,
    attributes: {
      ...attributesOf({ ...doing, repository: repositoryId ?? undefined }),
      "flotilla.event": event,
      ...(action === null ? {} : { "flotilla.action": action }),
      "flotilla.attempt": attempts + 1,
    },
  });
  const inside = async (): Promise<T> => {
    const received = await work();
    if (received !== "handled") span.setAttribute("flotilla.outcome", "ignored");
    return received;
  };
  return spans.during(span, doing, inside, guid);
}
