import { afterEach, beforeEach } from "vitest";
import { duplicateNames } from "./duplicate-names.ts";
import { loopbackOnly } from "./loopback-only.ts";

const refused: string[] = [];
loopbackOnly((host) => refused.push(host));

beforeEach(({ task }) => {
  const names = duplicateNames(task.file);
  if (names.length > 0) throw new Error(`Tests of this file that have the same name: ${names.join("; ")}`);
});

afterEach(() => {
  const hosts = refused.splice(0);
  if (hosts.length > 0)
    throw new Error(`The test tried to reach ${hosts.join(", ")}. Tests stay on this machine.`);
});
