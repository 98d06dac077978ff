import type { TestProject } from "vitest/node";
import { type PostgresServer, serverPrograms, startPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run, as in `PostgresServer.url`; null where none is installed. */
    postgres: string | null;
  }
}

let server: PostgresServer | undefined;

/**
 * Starts one server for all tests of this project. Without PostgreSQL they are skipped by name, but where
 * FLOTILLA_TESTS_NEED_SERVICES says that it must be there, as CI does, they fail.
 */
export async function setup(project: TestProject): Promise<void> {
  if (serverPrograms() === undefined && process.env["FLOTILLA_TESTS_NEED_SERVICES"] !== "1") {
    project.provide("postgres", null);
    return;
  }
  server = await startPostgres(["plan_cache_mode=force_generic_plan", "jit=off", "max_connections=400"]);
  project.provide("postgres", server.url);
}

export async function teardown(): Promise<void> {
  await server?.remove();
}
