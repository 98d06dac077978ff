import type { Config } from "../config/load-config.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { Log } from "../domain/ports/log.ts";
import { fieldsHere, withFields } from "../observability/log/log-fields.ts";
import type { Traces } from "../observability/traces/create-traces.ts";
import { ownVersion } from "./own-version.ts";
import type { ShutdownStack } from "./shutdown-stack.ts";

/** Nothing is traced: every part is as it was. */
const UNTRACED: Traces = {
  observe: undefined,
  runtime: (runtime) => runtime,
  within: withFields,
  request: undefined,
  handling: ({ guid }, work) => withFields({ delivery: guid }, work),
  close: async () => {},
};

/** The traces of this process; where no collector is configured, nothing of them is loaded. */
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
