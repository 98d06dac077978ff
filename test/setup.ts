import { afterEach, beforeAll } from "vitest";
import { duplicateNames } from "./duplicate-names.ts";
import { loopbackOnly } from "./loopback-only.ts";

const refused: string[] = [];
loopbackOnly((host) => refused.push(host));

beforeAll(({}, file) => {
  const names = duplicateNames(file);
  if (names.length > 0) throw new Error(`Test names that occur twice in this file: ${names.join("; ")}`);
});

afterEach(() => {
  const hosts = refused.splice(0);
  if (hosts.length > 0)
    throw new Error(`The test tried to reach ${hosts.join(", ")}. Tests stay on this machine.`);
});
