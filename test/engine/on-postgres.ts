import { setTimeout as pause, setImmediate as soon } from "node:timers/promises";

/** Whether the databases of rigs are on a PostgreSQL server: those of vitest's projects `…-on-postgres` are. */
export const ON_POSTGRES = process.env["FLOTILLA_TEST_STORE"] === "postgres";

/** Lets the database answer what was asked: a server does so from outside, after many turns of our event loop. */
export const turn = (): Promise<unknown> => (ON_POSTGRES ? pause(1) : soon());
