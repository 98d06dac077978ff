import type { Preset } from "../../../../src/adapters/runtimes/acp/preset.ts";
import { createAcpRuntime } from "../../../../src/adapters/runtimes/acp/runtime.ts";
import type { Log } from "../../../../src/domain/ports/log.ts";
import { scriptedPreset } from "../../../fixtures/acp/preset.ts";
import { type RealHarness, startRealHarness } from "../real-harness.ts";

type Given = Parameters<typeof startRealHarness>;

/** The small scripted agent against the scripted model. */
export function startAcp(
  script: Given[1],
  options: Given[2] & {
    readonly preset?: Preset;
    readonly startMs?: number;
    readonly openMs?: number;
    readonly log?: Log;
  } = {},
): Promise<RealHarness> {
  const { preset = scriptedPreset(), startMs, openMs, log, ...rest } = options;
  return startRealHarness(
    {
      create: (host) =>
        createAcpRuntime(preset, {
          ...host,
          ...(log === undefined ? {} : { log }),
          name: preset.name,
          packages: "",
          ...(startMs === undefined ? {} : { startMs }),
          ...(openMs === undefined ? {} : { openMs }),
        }),
    },
    script,
    rest,
  );
}
