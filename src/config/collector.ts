import type { ConfigFile } from "../domain/settings/config-schema.ts";
import type { Variables } from "./environment.ts";

/** The collector that receives traces. */
export interface Collector {
  /** The URL for traces, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** The one configured header with its value, or none. */
  readonly headers: Readonly<Record<string, string>>;
}

const TRACES = "/v1/traces";

/** Combines `telemetry` with the header's value from the environment, which no fault quotes. */
export function readCollector(
  { endpoint, header }: ConfigFile["telemetry"],
  variables: Variables,
  file: string,
): { readonly collector: Collector | undefined; readonly faults: readonly string[] } {
  if (endpoint === undefined) return { collector: undefined, faults: [] };
  const base = endpoint.replace(/\/+$/, "");
  const url = base.endsWith(TRACES) ? base : `${base}${TRACES}`;
  if (header === undefined) return { collector: { url, headers: {} }, faults: [] };
  const value = variables[header.value_env];
  const key = `${file}: telemetry.header.value_env: the environment variable ${header.value_env}`;
  if (value === undefined)
    return { collector: undefined, faults: [`${key} is not set; set it to the header's whole value.`] };
  if (!/^[\t\x20-\x7e]+$/.test(value))
    return {
      collector: undefined,
      faults: [`${key} holds what no header can; write it in one line of ASCII characters.`],
    };
  return { collector: { url, headers: { [header.name]: value } }, faults: [] };
}
