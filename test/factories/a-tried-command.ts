import type { TriedCommand } from "../../src/domain/commands/tried-command.ts";

/** A setup command that succeeded, unless the overrides say otherwise. */
export const aTriedCommand = (command: string, overrides: Partial<TriedCommand> = {}): TriedCommand => ({
  kind: "setup",
  command,
  exitCode: 0,
  timedOut: false,
  durationMs: 3000,
  output: "",
  refusedHosts: [],
  refusals: [],
  ...overrides,
});
