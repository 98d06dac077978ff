import { SpanKind } from "@opentelemetry/api";
import { GitHubError } from "../core/errors.ts";
import { Withheld } from "../core/level.ts";
import type { AroundRequest } from "../core/ports/around-request.ts";
import type { Doing } from "../core/ports/within.ts";
import { attributesOf, failed, type Spans } from "./spans.ts";

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
    try {
      const answer = await spans.inside(span, {}, work);
      answered(answer.status);
      span.end();
      return answer;
    } catch (error) {
      // What the level withholds is no request: its span never ends, and is not sent.
      if (!(error instanceof Withheld)) {
        if (error instanceof GitHubError && error.status > 0) answered(error.status);
        failed(span, error);
        span.end();
      }
      throw error;
    }
  };
}
