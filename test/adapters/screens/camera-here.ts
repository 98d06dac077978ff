import { describe } from "vitest";
import { HOST_FUNCTIONS } from "../../../src/server/host-functions.ts";
import { BUBBLEWRAP_IS_HERE } from "../sandbox/bubblewrap-here.ts";

const isHere = HOST_FUNCTIONS.camera.version() !== null || process.env["FLOTILLA_TESTS_NEED_BROWSER"] === "1";

/** Where Debian's chromium or bubblewrap is missing these are skipped by name; in CI, which says that both are there, they fail. */
export const describeWithCamera = isHere && BUBBLEWRAP_IS_HERE ? describe : describe.skip;
