import type { Log } from "../../src/core/ports/log.ts";

function ignore(): void {}

export const SILENT_LOG: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
