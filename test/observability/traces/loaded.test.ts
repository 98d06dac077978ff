import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { readSources } from "../../architecture/source.ts";

/** Whether a process loads the parts of OpenTelemetry that cost something, when it opens its traces. */
function loads(collector: object | undefined): boolean {
  const script = `
    import { registerHooks } from "node:module";
    let loaded = false;
    registerHooks({ load: (url, context, next) => {
      loaded ||= url.includes("@opentelemetry/sdk-trace");
      return next(url, context);
    } });
    const { openTraces } = await import("./src/server/open-traces.ts");
    const { systemClock } = await import("./src/server/system-clock.ts");
    const config = { secrets: { collector: ${JSON.stringify(collector)} }, project: { name: "acme" } };
    const traces = await openTraces(config, { clock: systemClock, log: {}, releases: { add() {} } });
    await traces.close();
    process.stdout.write(String(loaded));
    process.exit(0);`;
  const ran = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout === "true";
}

it("loads nothing of it where no collector is configured", () => {
  expect(loads(undefined)).toBe(false);
  expect(loads({ url: "http://127.0.0.1:9/v1/traces", headers: {} })).toBe(true);
});

it("is asked for by nothing but that", () => {
  const asking = readSources(process.cwd(), ["src"]).filter(
    ({ path, text }) =>
      !path.startsWith("src/observability/traces/") && /^import (?!type).*\/traces\//m.test(text),
  );
  expect(asking.map(({ path }) => path)).toEqual([]);
});
