import type { AgentRuntime } from "../../src/domain/ports/agent-runtime.ts";
import { HOST_FUNCTIONS } from "../../src/server/host-functions.ts";

/** What the rig's delimiters are made of. */
const WORD = "nonce7";

/** The machine that the rig runs on. */
export const NODE = "build-7";

/** The ways of our process, with what differs from one machine and one call to the next always the same. */
export const WAYS = { ...HOST_FUNCTIONS, publicUrl: null, node: NODE, nonce: (): string => WORD } as const;

/** A text for the model without the delimiters around texts of others. */
function undelimited(text: string): string {
  return text.replaceAll(`<<${WORD}<< `, "").replaceAll(new RegExp(`[ \\n]>>${WORD}>>`, "g"), "");
}

/** Reads over the delimiters, for tests that are about the words: `hidden-text.test.ts` looks at the delimiters themselves. */
export function readingOverDelimiters(runtime: AgentRuntime): AgentRuntime {
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
        tools: spec.tools.map((tool) => ({
          ...tool,
          call: async (args, call) => {
            const answer = await tool.call(args, call);
            return { ...answer, text: undelimited(answer.text) };
          },
        })),
        remark: async () => {
          const text = await spec.remark();
          return text === null ? null : undelimited(text);
        },
      });
      return {
        resumed: session.resumed,
        version: session.version,
        exchange: (prompt, options) => session.exchange(undelimited(prompt), options),
        interrupt: () => session.interrupt(),
        probe: () => session.probe(),
        save: () => session.save(),
        stop: () => session.stop(),
      };
    },
  };
}
