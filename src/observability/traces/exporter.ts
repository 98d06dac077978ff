import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/ports/log.ts";

/** The time limit of sending, including the exporter's retries. */
const SEND_LIMIT_MS = 8_000;

/**
 * Creates the exporter to the collector. Spans of a failed or timed-out request are lost; the log reports the
 * first failure and the recovery.
 */
export function createExporter(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  log: Log,
): SpanExporter {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_LIMIT_MS });
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          if (lost === 0)
            log.warn(
              { url, error: messageOf(result.error), next: "see `flotilla doctor`" },
              "traces lost: the collector does not accept them",
            );
          lost += spans.length;
        } else if (lost > 0) {
          log.info({ url, lost }, "traces accepted by the collector again");
          lost = 0;
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
