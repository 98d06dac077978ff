import type { ProposedPull } from "../../src/engine/onboarding/propose-file.ts";
import { REPOSITORY, type Rig } from "./rig.ts";

export const FILE = {
  repositoryId: REPOSITORY.id,
  by: "operator:root",
  branch: "flotilla/configure",
  path: ".github/flotilla.yml",
  content: "# Nothing yet\n",
  message: "Configure",
  title: "Configure Flotilla",
  body: "One file.",
};

/** The operator has the file proposed to a repository of which a webhook has told. */
export async function proposes(rig: Rig): Promise<ProposedPull | null> {
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  return rig.engine.operations.proposeFile(FILE);
}
