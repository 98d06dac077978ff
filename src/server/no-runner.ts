import type { Runner } from "../domain/ports/runner.ts";

const refuse = (): never => {
  throw new Error("this machine runs no agents: it has not the role runner");
};

/** The runner of a process that runs no agents. */
export const NO_RUNNER: Runner = {
  description: "no agents run here",
  confine: async () => refuse(),
  run: async () => refuse(),
  services: async () => refuse(),
  port: async () => refuse(),
  killMarked: async () => 0,
  memoryEnd: () => null,
  countMarked: async () => 0,
};
