import { readdirSync } from "node:fs";
import { describe } from "vitest";
import { findProgram } from "../../src/adapters/sandbox/find-program.ts";
import { BUBBLEWRAP_IS_HERE } from "../adapters/sandbox/bubblewrap-here.ts";

function isInstalled(): boolean {
  const programs = ["redis-server", "redis-cli", "psql", "pg_isready"];
  if (programs.some((name) => findProgram(name, "/usr/bin:/usr/local/bin") === undefined)) return false;
  try {
    return readdirSync("/usr/lib/postgresql").length > 0;
  } catch {
    return false;
  }
}

/**
 * For tests that need the Debian packages redis-server and postgresql in the sandbox: without them they are skipped by
 * name, but where FLOTILLA_TESTS_NEED_SERVICES says that they must be there, as CI does, they fail.
 */
export const describeWithServices =
  (BUBBLEWRAP_IS_HERE && isInstalled()) || process.env["FLOTILLA_TESTS_NEED_SERVICES"] === "1"
    ? describe
    : describe.skip;
