import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { EngineContext } from "../engine/context.ts";
import { pullsOfPeople } from "../intake/pulls-of-issue.ts";
import { createWhoMayAsk } from "../intake/who-may-ask.ts";
import { toolsFor } from "../tools/catalog.ts";
import { heardHere } from "./hearing.ts";
import { withFields } from "./log-fields.ts";

/** What the engine is given of this process that no setting changes. */
export const PLAIN_WAYS: Pick<
  EngineContext,
  "node" | "digest" | "nonce" | "within" | "heard" | "toolsFor" | "pullsOfPeople"
> = {
  node: hostname(),
  digest: (text) => createHash("sha256").update(text).digest("hex"),
  nonce: () => randomBytes(9).toString("base64url"),
  within: withFields,
  heard: heardHere,
  toolsFor,
  pullsOfPeople: (tools, repository, issue) =>
    pullsOfPeople(tools, createWhoMayAsk({ ...tools, unread: () => {} }), repository, issue),
};
