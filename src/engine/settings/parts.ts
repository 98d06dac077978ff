import type { Role } from "../../domain/agents/role.ts";
import type { Chooses } from "../../domain/agents/start-choice.ts";
import { roleOfAttempt } from "../../domain/agents/start-choice.ts";
import { runtimeUse } from "../../domain/settings/runtime-use.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { RepositorySettings } from "./repository-settings.ts";

/** Creates the parts of the context that depend on repositories' settings. */
export function settingsParts(
  own: Pick<RepositorySettings, "of" | "all">,
): Pick<EngineContext, "settingsOf" | "allSettings" | "roleOf" | "useOf"> {
  const roleOf = (agent: Chooses): Role | undefined => {
    const settings = own.of(agent.repositoryId);
    const role = settings.roles.get(agent.role);
    return role && roleOfAttempt(role, agent, settings);
  };
  return {
    settingsOf: (repositoryId) => own.of(repositoryId),
    allSettings: () => own.all(),
    roleOf,
    useOf: (agent) =>
      runtimeUse(
        roleOf(agent) ?? { runtime: agent.runtime, model: undefined, otherModels: [] },
        own.of(agent.repositoryId),
      ),
  };
}
