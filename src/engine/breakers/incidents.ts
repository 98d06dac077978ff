import { isLive } from "../../domain/agents/agent-record.ts";
import {
  type Failure,
  failureFingerprint,
  findIncident,
  type IncidentFound,
  type IncidentRow,
  probeOutcome,
  probePause,
} from "../../domain/breakers/incident.ts";
import { INCIDENT_OVER, incidentIssue } from "../../domain/breakers/incident-issue.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { TransitionRow } from "../../domain/kernel/rows.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { incidentNotices } from "../notices/queue-notices.ts";
import { checkpointSprints } from "../planning/plan-round.ts";
import { pauseScope, resumeScope } from "./scope-pause.ts";

/** Checks whether failures form an incident, and whether open incidents are over. */
export async function watchIncidents(context: EngineContext): Promise<void> {
  const { store, clock, settings } = context;
  const { issues, withinMs } = settings.incident;
  const failures = await failuresOf(context, await store.transitions.failures(clock.now() - withinMs));
  const known = await store.incidents.list();
  const found = findIncident(failures, known, issues);
  if (found !== null) await open(context, found);
  for (const incident of await store.incidents.list())
    if (incident.state === "open") await follow(context, incident);
}

/**
 * Returns the failures that may have a common cause. A limit that one agent reached and a question that it
 * asked are excluded.
 */
async function failuresOf(
  context: EngineContext,
  moves: readonly TransitionRow[],
): Promise<readonly Failure[]> {
  const found: Failure[] = [];
  for (const { at, repositoryId, issue, agentId, event, actor, reason } of moves) {
    if (agentId === null || reason === null || reason.startsWith("the limit ")) continue;
    if (event === "ESCALATE" && actor === "agent") continue;
    if (event === "ESCALATE" && (await context.store.records.get("agent", agentId))?.category !== "provider")
      continue;
    found.push({ at, repositoryId, issue, agentId, text: reason.replace(/^retry: /, "") });
  }
  return found;
}

async function open(context: EngineContext, found: IncidentFound): Promise<void> {
  const { store, clock, settings, log } = context;
  const at = clock.now();
  const ids = [...new Set(found.failures.map(({ repositoryId }) => repositoryId))];
  const repositories = await Promise.all(ids.map((id) => store.repositories.get(id)));
  const names = new Map(repositories.flatMap((one) => (one === undefined ? [] : [[one.id, fullName(one)]])));
  const { failures: _, ...cause } = found;
  const text = incidentIssue(
    { ...found, text: context.redact(found.text) },
    { nameOf: (id) => names.get(id) ?? String(id), notify: settings.escalation.notify },
  );
  await store.transaction(async (tables) => {
    const incident = await tables.incidents.add({
      ...cause,
      state: "open",
      issue: null,
      openedAt: at,
      probeAt: at + probePause(0),
      probeAgentId: null,
      probeSince: null,
      failedProbes: 0,
      closedAt: null,
    });
    const { repositoryId, firstIssue: issue } = found;
    const effect = { kind: "open_incident", incident: incident.id, ...text } as const;
    await tables.effects.add([
      { ...issueEffect({ repositoryId, issue, effect, at }), key: `incident:${incident.id}:open` },
      ...incidentNotices(settings, { id: incident.id, repositoryId, issue, at }),
    ]);
  });
  log.error({ scope: found.scope, text: found.text }, "incident opened");
}

/**
 * Pauses the incident's scope, releases a probe when it is due, and closes the incident once a probe
 * succeeded.
 */
async function follow(context: EngineContext, incident: IncidentRow): Promise<void> {
  const { scope } = incident;
  const reason = `the same failure in several issues: ${context.redact(incident.text).slice(0, 200)}`;
  const paused = await context.store.scopePauses.list();
  if (!paused.some((pause) => pause.holder === "incident" && pause.scope === scope)) {
    await pauseScope(context, { scope, holder: "incident", by: "flotilla", reason });
    await checkpointSprints(context, scope, `an incident in its repository: ${reason}`);
  }
  if (incident.probeAgentId === null) return sendProbe(context, incident);
  const outcome = await outcomeOf(context, incident, incident.probeAgentId);
  if (outcome === "through") return close(context, incident);
  if (outcome === "waiting") return;
  const failedProbes = incident.failedProbes + (outcome === "failed" ? 1 : 0);
  const pause = outcome === "failed" ? probePause(failedProbes) : 0;
  await context.store.incidents.set(incident.id, {
    probeAgentId: null,
    probeSince: null,
    failedProbes,
    probeAt: context.clock.now() + pause,
  });
}

/** Releases the agent that has waited longest as the probe; without one, the next agent becomes the probe. */
async function sendProbe(context: EngineContext, incident: IncidentRow): Promise<void> {
  const { store, clock, log } = context;
  const now = clock.now();
  if (incident.probeAt > now) return;
  const repositoryId = incident.scope === "all" ? null : incident.repositoryId;
  const first = await store.wakes.firstToGo(now, repositoryId);
  const probe = first === undefined ? undefined : await store.records.get("agent", first);
  if (probe === undefined) return;
  await store.incidents.set(incident.id, { probeAgentId: probe.id, probeSince: now });
  log.warn({ agent: probe.name, incident: incident.id }, "agent continued as a test of the incident");
  context.changed();
}

async function outcomeOf(context: EngineContext, incident: IncidentRow, agentId: number) {
  const since = incident.probeSince ?? 0;
  const agent = await context.store.records.get("agent", agentId);
  const moves = (await context.store.transitions.ofAgent(agentId)).filter(
    ({ machine, at }) => machine === "agent" && at >= since,
  );
  const began = moves.find(({ event }) => event === "START" || event === "WAKE");
  const after = began === undefined ? [] : moves.filter(({ id }) => id > began.id);
  const turns = (await context.store.toolCalls.ofAgent(agentId)).filter(
    ({ startedAt }) => startedAt >= since,
  );
  const failures = await failuresOf(context, after.filter(isFailure));
  return probeOutcome({
    began: began !== undefined,
    active: agent?.state === "ACTIVE",
    failed: failures.some(({ text }) => failureFingerprint(text) === incident.fingerprint),
    turns: new Set(turns.map(({ turn }) => turn)).size,
    live: agent !== undefined && isLive(agent),
  });
}

function isFailure({ event, reason }: TransitionRow): boolean {
  return (
    event === "FAIL" || event === "ESCALATE" || (event === "WAIT" && reason?.startsWith("retry: ") === true)
  );
}

async function close(context: EngineContext, incident: IncidentRow): Promise<void> {
  const { store, clock, log } = context;
  const at = clock.now();
  await store.transaction(async (tables) => {
    await tables.incidents.set(incident.id, { state: "closed", closedAt: at });
    if (incident.issue === null) return;
    const effect = {
      kind: "post_comment",
      name: `incident-${incident.id}-over`,
      body: INCIDENT_OVER,
    } as const;
    const row = issueEffect({ repositoryId: incident.repositoryId, issue: incident.issue, effect, at });
    await tables.effects.add([{ ...row, key: `incident:${incident.id}:over` }]);
  });
  // A second incident of the same scope keeps the pause.
  const others = (await store.incidents.list()).filter(
    ({ state, scope }) => state === "open" && scope === incident.scope,
  );
  if (others.length === 0)
    await resumeScope(context, { scope: incident.scope, holder: "incident", by: "flotilla" });
  log.warn({ incident: incident.id }, "incident closed");
}
