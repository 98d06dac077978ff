import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createInstruments } from "../../../src/observability/metrics/instruments.ts";
import { withParts } from "../../docs/parts.ts";

const { registry } = createInstruments();
const METRICS = (await registry.getMetricsAsJSON()).map(({ name, help, type }) => ({
  name,
  help,
  type: String(type),
  labels: labelsOf(registry.getSingleMetric(name)),
}));

function labelsOf(metric: object | undefined): readonly string[] {
  if (metric === undefined || !("labelNames" in metric) || !Array.isArray(metric.labelNames)) return [];
  return metric.labelNames.map(String);
}

test("docs/metrics.md describes every metric (`npx vitest run test/observability/metrics -u` renews it)", async () => {
  const rows = METRICS.map(({ name, type, labels, help }) => {
    const quoted = labels.map((label) => `\`${label}\``);
    return `| \`${name}\` | ${type} | ${quoted.join(", ")} | ${help} |`;
  });
  const table = ["| name | type | labels | what it is |", "|---|---|---|---|", ...rows].join("\n");
  const page = withParts(readFileSync("docs/metrics.md", "utf8"), { metrics: table });
  await expect(page).toMatchFileSnapshot("../../../docs/metrics.md");
});

test("names follow Prometheus' conventions, and no label has a value for each issue, agent or person", () => {
  const known = [
    "event",
    "outcome",
    "kind",
    "state",
    "role",
    "status",
    "model",
    "type",
    "rule",
    "use",
    "window",
    "from",
    "to",
  ];
  for (const { name, type, labels } of METRICS) {
    expect(name.endsWith("_total")).toBe(type === "counter");
    expect(type === "histogram" && !name.endsWith("_seconds")).toBe(false);
    expect([...known, "what", "part"]).toEqual(expect.arrayContaining([...labels]));
  }
});

test("the dashboard for Grafana asks only for metrics that there are", () => {
  const text = readFileSync("config/deploy/grafana.json", "utf8");
  const board: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(text);
  const asked = board.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:flotilla|nodejs|process)_\w+/g) ?? []),
  );
  const ours = METRICS.map(({ name }) => name);
  const process = [
    "nodejs_eventloop_lag_p99_seconds",
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
  ];
  const known = new Set([
    ...process,
    ...ours,
    ...ours.flatMap((name) => ["_bucket", "_sum", "_count"].map((end) => `${name}${end}`)),
  ]);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  const shown = ours.filter((name) => asked.some((one) => one.startsWith(name)));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});
