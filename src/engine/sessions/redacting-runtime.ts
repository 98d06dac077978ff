import type { Redact } from "../../domain/access/redact.ts";
import { forModel } from "../../domain/conversation/untrusted.ts";
import type { AgentRuntime, AgentSession, HostTool, ToolAnswer } from "../../domain/ports/agent-runtime.ts";

const WORD_LENGTH = 16;

/** Redacts all our text that a model reads: messages, answers of our tools, remarks, the system prompt. */
export function redactingRuntime(
  runtime: AgentRuntime,
  {
    redact,
    nonce,
    digest,
  }: {
    readonly redact: Redact;
    readonly nonce: () => string;
    readonly digest: (text: string) => string;
  },
): AgentRuntime {
  const say = (text: string): string => forModel(text, nonce(), redact);
  const answered = (answer: ToolAnswer): ToolAnswer => ({ ...answer, text: say(answer.text) });
  const tool = (one: HostTool): HostTool => ({
    ...one,
    call: async (args, call) => answered(await one.call(args, call)),
  });
  return {
    name: runtime.name,
    tools: runtime.tools,
    get modes() {
      return runtime.modes;
    },
    destroy: (session) => runtime.destroy(session),
    ...(runtime.portable === undefined ? {} : { portable: runtime.portable }),
    reap: (sessions) => runtime.reap(sessions),
    async open(spec) {
      const session = await runtime.open({
        ...spec,
        // The same at each opening, so that providers find it in their caches. No text contains its own digest.
        systemPrompt: forModel(spec.systemPrompt, digest(spec.systemPrompt).slice(0, WORD_LENGTH), redact),
        tools: spec.tools.map(tool),
        gate: async (call) => {
          const answer = await spec.gate(call);
          return answer.allow ? answer : { ...answer, reason: say(answer.reason) };
        },
        remark: async () => {
          const text = await spec.remark();
          return text === null ? null : say(text);
        },
      });
      return talked(session, say);
    },
  };
}

function talked(session: AgentSession, say: (text: string) => string): AgentSession {
  return {
    resumed: session.resumed,
    version: session.version,
    exchange: (prompt, options) => session.exchange(say(prompt), options),
    interrupt: () => session.interrupt(),
    probe: () => session.probe(),
    save: () => session.save(),
    stop: () => session.stop(),
  };
}
