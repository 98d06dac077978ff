import { expect, test } from "vitest";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const SECRET = "Bearer very-secret-0123456789";
const telemetry = (text: string) => `${SOUND_YAML}telemetry: { ${text} }\n`;
const HEADER = "header: { name: authorization, value_env: COLLECTOR_KEY }";

test.each([
  ["endpoint: localhost:4318", /^config\.yaml: telemetry\.endpoint: write the collector's whole address/],
  ["endpoint: collector", /telemetry\.endpoint: write the collector's whole address/],
  ['endpoint: "http://me:word@h:4318"', /telemetry\.endpoint: holds a user name or password/],
  ['endpoint: "http://h:4318?key=word"', /telemetry\.endpoint: holds a query or a fragment/],
  [HEADER, /telemetry\.header: goes nowhere: set telemetry\.endpoint too/],
  [
    'endpoint: "http://h:4318", header: { name: "a b", value_env: MODEL_API_KEY }',
    /telemetry\.header\.name: write the name/,
  ],
  [
    'endpoint: "http://h:4318", header: { name: a, value_env: "Bearer word" }',
    /header\.value_env: write the name/,
  ],
  [`endpoint: "http://h:4318", ${HEADER}`, /value_env: the environment variable COLLECTOR_KEY is not set/],
])("telemetry: { %s } is refused, and the fault says what to write", (text, says) => {
  expect(faultsOf(telemetry(text))).toEqual([expect.stringMatching(says)]);
  expect(faultsOf(telemetry(text)).join()).not.toContain("word@");
});

test("a value that no header can hold is refused, and not quoted", () => {
  const env = { COLLECTOR_KEY: `${SECRET}\nmore` };
  const faults = faultsOf(telemetry(`endpoint: "http://h:4318", ${HEADER}`), { env });
  expect(faults).toEqual([expect.stringContaining("COLLECTOR_KEY holds what no header can")]);
  expect(faults.join()).not.toContain("very-secret");
});

test("without an endpoint there is no collector", () => {
  expect(load(SOUND_YAML).config.secrets.collector).toBeUndefined();
});
