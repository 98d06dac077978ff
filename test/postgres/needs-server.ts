import { beforeEach, inject } from "vitest";

/** For files of which each test needs a PostgreSQL server. */
beforeEach(({ skip }) => skip(inject("postgres") === null, "no PostgreSQL server is installed"));
