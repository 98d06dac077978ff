import { afterEach, beforeEach, expect } from "vitest";
import { duplicateNames } from "./duplicate-names.ts";
import { loopbackOnly } from "./loopback-only.ts";

// Records nothing unless the environment names a file for it.
const { testsOf } = await import("./reach/record.ts");
testsOf(expect.getState().testPath ?? "");

const refused: string[] = [];
loopbackOnly((host) => refused.push(host));

/** Of a file; looked at once for all of its tests. */
let duplicates: readonly string[] | undefined;

beforeEach(({ task }) => {
  const name = task.fullTestName;
  duplicates ??= duplicateNames(task.file);
  if (duplicates.includes(name)) throw new Error(`Two tests of this file are called: ${name}`);
});

afterEach(() => {
  const hosts = refused.splice(0);
  if (hosts.length > 0)
    throw new Error(`The test tried to reach ${hosts.join(", ")}. Tests stay on this machine.`);
});
