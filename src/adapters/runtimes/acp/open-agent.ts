import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { agentEnvironment, sessionDirectories } from "../process/agent-environment.ts";
import { makeOwnDirectory } from "../process/agent-files.ts";
import type { RuntimeHost } from "../runtime-entry.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { AgentFault, ConnectionLost, METHOD_NOT_FOUND, RpcError } from "./connection.ts";
import { agentId, begunConversation, deleteConversation } from "./conversation.ts";
import { conversationFiles, patternsOf, renameFiles, writeBelow } from "./conversation-files.ts";
import { damaged, refuseMissing } from "./faults.ts";
import { BRIDGE, HOOK, type HostSide, type ProvidedSpec } from "./host-side.ts";
import { type AgentPlace, MCP_NAME, type Preset } from "./preset.ts";

/** The version of ACP that is spoken here. */
const PROTOCOL = 1;

const begun = z.looseObject({
  protocolVersion: z.number(),
  agentCapabilities: z
    .looseObject({
      mcpCapabilities: z.looseObject({ http: z.boolean().optional() }).nullish(),
      promptCapabilities: z.looseObject({ image: z.boolean().optional() }).nullish(),
      sessionCapabilities: z.looseObject({ close: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});
const created = z.looseObject({ sessionId: agentId });

/** What an agent said of itself. */
export type Begun = z.output<typeof begun>;

/** Writes the agent's files, and starts its process, confined. Throws `RuntimeError`, and the runner's errors. */
export async function startAgent(
  spec: ProvidedSpec,
  preset: Preset,
  { side, host }: { readonly side: HostSide; readonly host: RuntimeHost },
  told: (method: string, params: unknown) => void,
): Promise<AgentProcess> {
  const { place, port } = side;
  const command = preset.command(place);
  refuseMissing(command, preset);
  const { home, tmp } = sessionDirectories(spec.baseDirectory);
  for (const directory of [spec.baseDirectory, home, tmp, place.state]) await makeOwnDirectory(directory);
  for (const [path, text] of Object.entries(preset.files(place)))
    await writeBelow(place.base, path, text, host.removeTree);
  const shownAt: { path: string; seenAt: string }[] = [];
  for (const [name, text] of Object.entries(preset.etc?.(place) ?? {})) {
    const path = join(dirname(port.path), `etc-${shownAt.length}`);
    await writeFile(path, text, { flag: "wx", mode: 0o444 });
    shownAt.push({ path, seenAt: `/etc/${name}` });
  }
  const confined = await host.runner.confine(
    { ...command, cwd: spec.workingDirectory, env: agentEnvironment(host.env, spec, preset.env(place)) },
    {
      writable: [spec.workingDirectory, spec.baseDirectory],
      readable: [
        ...(place.packages === "" ? [] : [place.packages]),
        ...(preset.readable ?? []),
        ...(preset.gate === "hook" ? [HOOK] : []),
        BRIDGE,
        ...(spec.skills === undefined ? [] : [spec.skills]),
      ],
      hosts: host.hosts,
      registries: host.registries,
      port,
      shownAt,
      ...(spec.services === undefined ? {} : { services: spec.services }),
    },
  );
  return startAgentProcess(
    confined,
    {
      told,
      async asked(method, params) {
        if (method === "session/request_permission") return side.permission(params);
        // Neither files nor terminals of the host are offered.
        throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method} here`);
      },
    },
    host.clock,
  );
}

/** Greets an agent. Throws `RuntimeError`, `RpcError` and `AgentFault`. */
export async function greet(
  { connection }: Pick<AgentProcess, "connection">,
  preset: Preset,
  startMs: number,
): Promise<Begun> {
  const answer = await connection.ask(
    "initialize",
    {
      protocolVersion: PROTOCOL,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "flotilla", title: "Flotilla", version: "1" },
    },
    startMs,
  );
  const { data } = begun.safeParse(answer);
  if (data === undefined || data.protocolVersion !== PROTOCOL)
    throw new RuntimeError(
      "version_unknown",
      `${preset.title} speaks version ${data?.protocolVersion ?? "?"} of ACP, and not ${PROTOCOL}`,
      {
        consequence: "tell",
        advice: `Run \`flotilla runtimes add ${preset.name}\`, which installs the version that was tested.`,
      },
    );
  if (preset.auth !== undefined)
    await connection.ask("authenticate", { methodId: preset.auth }, startMs).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
      throw new RuntimeError(
        "authentication",
        `${preset.title} refused the stand-in for the key: ${messageOf(error)}`,
        {
          consequence: "tell",
          advice: `Run \`flotilla runtimes try ${preset.name}\`.`,
          cause: error,
        },
      );
    });
  return data;
}

/**
 * Continues the conversation if one was begun, otherwise begins one, and waits until the agent knows our tools. Throws as
 * `greet` does.
 */
export async function openConversation(
  { connection }: Pick<AgentProcess, "connection">,
  spec: ProvidedSpec,
  preset: Preset,
  {
    side,
    host,
    begun: { agentCapabilities },
    limitMs,
  }: {
    readonly side: HostSide;
    readonly host: RuntimeHost;
    readonly begun: Begun;
    readonly limitMs: number;
  },
): Promise<{ readonly id: string; readonly resumed: boolean }> {
  const old = await begunConversation(spec, preset);
  const server = mcpServer(side.place, agentCapabilities?.mcpCapabilities?.http === true);
  const session = sessionParams(spec, preset, { side, server });
  let id = old;
  if (old !== null) {
    await connection
      .ask(`session/${preset.resume}`, { sessionId: old, ...session }, limitMs)
      .catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
        throw damaged(spec, `${preset.title} does not continue it: ${messageOf(error)}`, error);
      });
  } else {
    const { data } = created.safeParse(await connection.ask("session/new", session, limitMs));
    if (data === undefined) throw new AgentFault("gave its conversation no id");
    id = data.sessionId;
  }
  if (preset.mode !== undefined)
    await connection.ask("session/set_mode", { sessionId: id, modeId: preset.mode }, limitMs);
  const listed = spec.tools.length === 0 ? Promise.resolve() : side.listed;
  const lost = connection.lost.then((why) => {
    throw new ConnectionLost(why);
  });
  await withTimeout(host.clock, limitMs, Promise.race([listed, lost]), () => {
    throw new AgentFault(`did not ask for Flotilla's tools within ${limitMs / 1000} s`);
  });
  return { id: id ?? "", resumed: old !== null };
}

/** How an agent reaches our tools. One that speaks no HTTP with MCP servers starts a program that does so for it. */
function mcpServer({ mcp, key }: AgentPlace, isHttp: boolean): object {
  return isHttp
    ? {
        type: "http",
        name: MCP_NAME,
        url: mcp,
        headers: [{ name: "Authorization", value: `Bearer ${key}` }],
      }
    : { name: MCP_NAME, command: process.execPath, args: [BRIDGE, mcp, key], env: [] };
}

function sessionParams(
  spec: ProvidedSpec,
  preset: Preset,
  { side, server }: { readonly side: HostSide; readonly server: object },
): object {
  const meta = preset.meta?.(side.place);
  return {
    cwd: spec.workingDirectory,
    mcpServers: spec.tools.length === 0 ? [] : [server],
    ...(meta === undefined ? {} : { _meta: meta }),
    ...(preset.instructions === "systemPrompt"
      ? { systemPrompt: { mode: "append", content: [{ type: "text", text: spec.systemPrompt }] } }
      : {}),
  };
}

/** Removes what an earlier start left that nothing was said in, and puts all else where the agent does not write over it. */
export async function readyConversation(
  spec: ProvidedSpec,
  preset: Preset,
  { removeTree }: Pick<RuntimeHost, "removeTree">,
): Promise<void> {
  const { baseDirectory } = spec;
  const { files, restsAs } = preset.conversation;
  const id = await begunConversation(spec, preset);
  if (id === null) return deleteConversation(spec, removeTree);
  if (restsAs !== undefined)
    await renameFiles(baseDirectory, await conversationFiles(baseDirectory, patternsOf(files, id)), restsAs);
}
