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
  const faults = headerFaults(`${file}: telemetry.header.value_env`, header.value_env, value);
  if (value === undefined || faults.length > 0) return { collector: undefined, faults };
  return { collector: { url, headers: { [header.name]: value } }, faults: [] };
}

/** Returns the fault of the variable `name` as the header's value; `key` is the path that names it. */
export function headerFaults(key: string, name: string, value: string | undefined): readonly string[] {
  const variable = `${key}: the environment variable ${name}`;
  if (value === undefined) return [`${variable} is not set; set it to the header's whole value.`];
  return /^[\t\x20-\x7e]+$/.test(value)
    ? []
    : [`${variable} holds what no header can; write it in one line of ASCII characters.`];
}
