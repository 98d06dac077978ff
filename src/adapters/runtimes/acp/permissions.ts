import { z } from "zod";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { canonical } from "../../../domain/sessions/fingerprint.ts";
import type { ToldCall } from "../gateway/session-gateway.ts";
import { readRefusal, writeRefusal } from "../process/agent-paths.ts";
import type { AgentCalls } from "./agent-calls.ts";
import { RpcError } from "./connection.ts";
import type { Preset } from "./preset.ts";

const INVALID_PARAMS = -32602;

/** The answer to a question of a turn that was cancelled. */
export const CANCELLED = { outcome: { outcome: "cancelled" } } as const;

/** Kinds of tools, as ACP names them, that are never ours: agents call those "other", or say nothing. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "fetch",
]);

const request = z.looseObject({
  toolCall: z.looseObject({
    toolCallId: z.string(),
    title: z.string().nullish(),
    name: z.string().nullish(),
    kind: z.string().nullish(),
    rawInput: z.unknown().optional(),
    locations: z
      .array(z.looseObject({ path: z.string() }))
      .max(1000)
      .nullish(),
  }),
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })).max(100),
});

const hookCall = z.looseObject({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  /** The model's id of the call. */
  tool_use_id: z.string().nullish(),
});

interface Parts {
  readonly spec: Pick<
    SessionSpec,
    "workingDirectory" | "baseDirectory" | "skills" | "capabilities" | "tools"
  >;
  readonly preset: Pick<Preset, "tools" | "toolName">;
  readonly calls: AgentCalls;
  /** The gate ends the exchange. */
  limit(): void;
  /** The agent has been denied a call, and its model may not read why. */
  denied(call: ToldCall, reason: string): void;
}

/**
 * Answers the agent's question whether one of its own tools may run. Throws `RpcError` for one that nobody understands.
 * The answer guides the model; confining the agent is the runner's task.
 */
export async function answerPermission(params: unknown, parts: Parts): Promise<object> {
  const { data } = request.safeParse(params);
  if (data === undefined) throw new RpcError(INVALID_PARAMS, "this is no request for a permission");
  const { toolCall, options } = data;
  const isOwn: Fit = ({ name }) => !isOurs(name, parts);
  const fits = fitsOf(toolCall);
  const mayBeOurs = !NOT_OURS.has(toolCall.kind ?? "");
  const call = parts.calls.find([
    ({ id }) => id === toolCall.toolCallId,
    // A model could write the name or the arguments of one of our tools into a call of another.
    ...fits.map(
      (fit): Fit =>
        (one) =>
          isOwn(one) && fit(one),
    ),
    ...(mayBeOurs ? fits : []),
    isOwn,
    // The gate stands before ours in any case.
    ...(mayBeOurs ? [() => true] : []),
  ]);
  const refusal = await refusalOf(
    call,
    (toolCall.locations ?? []).map(({ path }) => path),
    parts,
  );
  const wanted = refusal === null ? "allow_once" : "reject_once";
  const option = options.find(({ kind }) => kind === wanted);
  return option === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId: option.optionId } };
}

/** Answers a hook that an agent runs before one of its tools: the body of the response has the reason of a denial. */
export async function answerHook(body: unknown, parts: Parts): Promise<{ allow: boolean; reason: string }> {
  const { data } = hookCall.safeParse(body);
  if (data === undefined) return { allow: false, reason: "This is no call of a tool." };
  const name = parts.preset.toolName(data.tool_name);
  // The gate stands before our own tools where they run.
  if (isOurs(name, parts)) return { allow: true, reason: "" };
  const call = parts.calls.find([
    ({ id }) => id === data.tool_use_id,
    (one) => one.name === name && canonical(one.args) === canonical(data.tool_input),
    (one) => one.name === name,
  ]);
  const refusal = await refusalOf(call, [], parts);
  return { allow: refusal === null, reason: refusal ?? "" };
}

type Fit = (call: ToldCall) => boolean;

/** How the model's call is found that has another id, the surest way first: agents name calls in their own ways. */
function fitsOf({ title, name, rawInput }: z.output<typeof request>["toolCall"]): readonly Fit[] {
  const words = `${name ?? ""} ${title ?? ""}`;
  return [
    ({ args }) => rawInput !== undefined && canonical(args) === canonical(rawInput),
    (call) => words.includes(call.name),
  ];
}

/** Returns why the call may not run; null where it may. */
async function refusalOf(
  call: ToldCall | undefined,
  locations: readonly string[],
  parts: Parts,
): Promise<string | null> {
  const { calls } = parts;
  if (call === undefined) return "The model has not called this tool.";
  if (isOurs(call.name, parts)) return null;
  const deny = (reason: string): string => {
    calls.ended(call.id, { ok: false, denied: true, output: reason });
    parts.denied(call, reason);
    return reason;
  };
  const refusal = ruleAgainst(call, locations, parts);
  if (refusal !== null) return deny(refusal);
  const decision = await calls.decide({ id: call.id, toolName: call.name, args: call.args });
  if (decision.allow) return null;
  if (decision.endExchange) parts.limit();
  return deny(decision.reason);
}

function isOurs(name: string, { spec }: Parts): boolean {
  return spec.tools.some((tool) => tool.name === name);
}

function ruleAgainst(call: ToldCall, locations: readonly string[], { spec, preset }: Parts): string | null {
  const tool = preset.tools.get(call.name);
  if (tool === undefined || tool.capability === null) return `There is no tool ${call.name} for this role.`;
  if (!spec.capabilities.includes(tool.capability))
    return `This role has no tools of the kind ${tool.capability}.`;
  if (tool.kind !== "edit" && tool.kind !== "read") return null;
  const refusal = tool.kind === "edit" ? writeRefusal : readRefusal;
  const paths = [...(tool.paths?.(call.args) ?? []), ...locations];
  return paths.map((path) => refusal(path, spec)).find((reason) => reason !== null) ?? null;
}
