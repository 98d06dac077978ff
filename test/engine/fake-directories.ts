import type { EngineContext } from "../../src/engine/kernel/engine-context.ts";

/** Names of directories that are nowhere. */
export const FAKE_DIRECTORIES: EngineContext["directories"] = {
  home: (id) => Promise.resolve(`/fake/sessions/${id}/home`),
  session: (id) => Promise.resolve(`/fake/sessions/${id}`),
  evaluation: (id) => Promise.resolve(`/fake/evaluations/${id}`),
  workplace: (id) => Promise.resolve(`/fake/workplaces/${id}`),
  sentFile: (id) => Promise.resolve(`/fake/sent/${id}`),
  skills: (id) => Promise.resolve(`/fake/skills/${id}`),
  cache: (id) => Promise.resolve(`/fake/caches/${id}`),
  drop: async () => {},
};
