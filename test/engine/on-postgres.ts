/** Whether the databases of rigs are on a PostgreSQL server: those of vitest's projects `…-on-postgres` are. */
export const ON_POSTGRES = process.env["FLOTILLA_TEST_STORE"] === "postgres";
