import { roleOfAttempt } from "../../domain/agents/start-choice.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { RepositorySettings } from "./repository-settings.ts";

/** Creates the parts of the context that depend on repositories' settings. */
export function settingsParts(
  own: Pick<RepositorySettings, "of" | "all">,
): Pick<EngineContext, "settingsOf" | "allSettings" | "roleOf"> {
  return {
    settingsOf: (repositoryId) => own.of(repositoryId),
    allSettings: () => own.all(),
    roleOf: (agent) => {
      const { roles, runtime } = own.of(agent.repositoryId);
      const role = roles.get(agent.role);
      return role && roleOfAttempt(role, agent, runtime);
    },
  };
}
