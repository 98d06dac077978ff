import type { Log } from "../../src/domain/ports/log.ts";

function ignore(): void {}

export const SILENT_LOG: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
