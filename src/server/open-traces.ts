import type { Config } from "../config/load-config.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { Log } from "../domain/ports/log.ts";
import { fieldsHere, withFields } from "../observability/log/log-fields.ts";
import type { Traces } from "../observability/traces/create-traces.ts";
import { ownVersion } from "./own-version.ts";
import type { ShutdownStack } from "./shutdown-stack.ts";

/** Tracing is off: every part stays as it is. */
const UNTRACED: Traces = {
  observe: undefined,
  runtime: (runtime) => runtime,
  within: withFields,
  request: undefined,
  handling: ({ guid }, work) => withFields({ delivery: guid }, work),
  close: async () => {},
};

/** Opens the traces of this process. Without a configured collector it loads no tracing code. */
export async function openTraces(
  { secrets, project }: Pick<Config, "secrets" | "project">,
  { clock, log, releases }: { readonly clock: Clock; readonly log: Log; readonly releases: ShutdownStack },
): Promise<Traces> {
  const { collector } = secrets;
  if (collector === undefined) return UNTRACED;
  const { createTraces } = await import("../observability/traces/create-traces.ts");
  const service = { name: project.name, version: ownVersion() };
  const traces = createTraces({ collector, service, within: withFields, fields: fieldsHere, clock, log });
  releases.add("traces", () => traces.close());
  return traces;
}
