import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { readPicture } from "../adapters/pictures/read-picture.ts";
import { compareShots, readShot } from "../adapters/pictures/shots.ts";
import { createCamera } from "../adapters/screens/camera.ts";
import { readFrontMatter } from "../config/front-matter.ts";
import type { EngineContext } from "../engine/kernel/engine-context.ts";
import { withFields } from "../observability/log/log-fields.ts";
import { pullsOfPeople } from "../webhooks/pulls-of-issue.ts";
import { createWhoMayAsk } from "../webhooks/who-may-ask.ts";
import { machineMemory } from "./machine-memory.ts";
import { programsFound } from "./programs-found.ts";
import { recordedResponses } from "./response-recorder.ts";

/** The functions of this process that the engine gets regardless of settings. */
export const HOST_FUNCTIONS: Pick<
  EngineContext,
  | "node"
  | "memoryBytes"
  | "digest"
  | "nonce"
  | "frontMatter"
  | "readPicture"
  | "camera"
  | "within"
  | "recordedResponses"
  | "pullsOfPeople"
  | "programsFound"
> = {
  node: hostname(),
  // Before `agent-groups.ts` moves this process into a group without a limit.
  memoryBytes: machineMemory(),
  digest: (content) => createHash("sha256").update(content).digest("hex"),
  nonce: () => randomBytes(9).toString("base64url"),
  frontMatter: readFrontMatter,
  readPicture,
  camera: createCamera({ read: readShot, compare: compareShots }),
  within: withFields,
  recordedResponses,
  pullsOfPeople: (tools, repository, issue) =>
    pullsOfPeople(tools, createWhoMayAsk({ ...tools, unread: () => {} }), repository, issue),
  programsFound,
};
