import type { KeyInForce } from "./keys-in-force.ts";

const HEADER = "header: { name: x-key, value_env: OTHER_KEY }";

/** Keys of where traces go. */
export const TELEMETRY_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "telemetry.endpoint",
    set: 'telemetry: { endpoint: "http://127.0.0.1:4318/" }',
    read: (c) => c.secrets.collector,
    expected: { url: "http://127.0.0.1:4318/v1/traces", headers: {} },
  },
  {
    key: "telemetry.header.name",
    set: `telemetry: { endpoint: "https://otlp.example.com/v1/traces", ${HEADER} }`,
    read: (c) => [c.secrets.collector?.url, Object.keys(c.secrets.collector?.headers ?? {})],
    expected: ["https://otlp.example.com/v1/traces", ["x-key"]],
  },
  {
    key: "telemetry.header.value_env",
    set: `telemetry: { endpoint: "http://127.0.0.1:4318", ${HEADER} }`,
    read: (c) => c.secrets.collector?.headers["x-key"],
    expected: "other-key",
  },
];
