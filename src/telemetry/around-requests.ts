import { SpanKind } from "@opentelemetry/api";
import { GitHubError } from "../core/errors.ts";
import type { AroundRequest } from "../core/ports/around-request.ts";
import type { Doing } from "../core/ports/within.ts";
import { attributesOf, type Spans } from "./spans.ts";

/** Only requests that belong to something that is traced: rounds that look for what was missed are no part of a story. */
export function aroundRequests(spans: Spans, fields: () => Doing): AroundRequest {
  return async ({ method, route }, work) => {
    const here = spans.here();
    if (here === undefined) return work();
    const span = spans.begin(`${method} ${route}`, {
      place: { below: here.spanContext() },
      kind: SpanKind.CLIENT,
      attributes: {
        ...attributesOf(fields()),
        ...spans.delivery(),
        "http.request.method": method,
        "url.template": route,
      },
    });
    const answered = (status: number) => span.setAttribute("http.response.status_code", status);
    return spans.during(span, {}, async () => {
      try {
        const answer = await work();
        answered(answer.status);
        return answer;
      } catch (error) {
        if (error instanceof GitHubError && error.status > 0) answered(error.status);
        throw error;
      }
    });
  };
}
