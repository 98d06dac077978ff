import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const CHART = "config/deploy/chart";
/** Where Debian's packages of Go libraries are; without modules, Go reads no others. */
const GO = { GO111MODULE: "off", GOPATH: "/usr/share/gocode" };

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type KubernetesObject = z.infer<typeof object>;

const chart = z.object({ name: z.string(), version: z.string(), appVersion: z.string() });

let renderer: string | undefined;

/** Compiles the program that renders, once for each run of the tests, and returns its path. */
function built(): string {
  const program = join(mkdtempSync(join(tmpdir(), "flotilla-render-")), "render");
  const options = { env: { ...process.env, ...GO }, stdio: "pipe" } as const;
  execFileSync("go", ["build", "-o", program, "test/deploy/chart/render.go"], options);
  process.once("exit", () => rmSync(program, { force: true }));
  return program;
}

/** The values of the chart's own file, with what everybody has to set. */
export function valuesGiven(): Record<string, unknown> {
  const values = z
    .record(z.string(), z.unknown())
    .parse(parse(readFileSync(join(CHART, "values.yaml"), "utf8")));
  return { ...values, env: { APP_ID: "123" }, config: { runtime: { max_concurrent_agents: 8 } } };
}

/** Returns what Helm would apply, by its own template language. */
export function rendered(values: Record<string, unknown>): readonly KubernetesObject[] {
  const text = textOf(values);
  const documents = parseAllDocuments(text);
  return documents.map((document) => object.nullable().parse(document.toJS())).filter((one) => one !== null);
}

function textOf(values: Record<string, unknown>): string {
  const { name, version, appVersion } = chart.parse(parse(readFileSync(join(CHART, "Chart.yaml"), "utf8")));
  const directory = mkdtempSync(join(tmpdir(), "flotilla-chart-"));
  try {
    const file = join(directory, "values.json");
    writeFileSync(
      file,
      JSON.stringify({ Chart: { Name: name, Version: version, AppVersion: appVersion }, Values: values }),
    );
    renderer ??= built();
    return execFileSync(renderer, [CHART, "team", file], { encoding: "utf8", stdio: "pipe" });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
