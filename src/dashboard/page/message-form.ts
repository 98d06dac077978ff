/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
import { useAct } from "./use-act.ts";
import { Words } from "./words.ts";

interface MessageFormProps {
  readonly agent: Pick<AgentView, "key" | "role" | "issue" | "state" | "ended_at" | "mode">;
  readonly changed: () => void;
}

/** Writes a message to an agent that works or sleeps. Nothing for one that would not read it. */
export function MessageForm({ agent, changed }: MessageFormProps) {
  const [text, setText] = useState("");
  const { busy, refused, run } = useAct(changed);
  if (agent.ended_at !== null || agent.mode === "one_shot") return null;
  const about = `${agent.role} on #${agent.issue}`;
  const when = agent.state === "ACTIVE" ? "It reads it with its next step." : "It wakes and reads it.";
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "") return;
    const isDone = await run({
      path: `/api/agents/${encodeURIComponent(agent.key)}/send`,
      body: { text: text.trim() },
      said: ({ heard }) => ({ text: `Sent to ${about}: it reads it ${String(heard)}.` }),
    });
    if (isDone) setText("");
  };
  return html`<details class="start-work">
    <summary>Write to the agent</summary>
    <form class="message" onSubmit=${(event: Event) => void submit(event)}>
    <label class="note">Message to ${about}
      <textarea rows="2" maxlength="20000" value=${text} onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}></textarea>
    </label>
    <p class="acts"><button type="submit" aria-disabled=${busy || text.trim() === ""}>Send</button> <span class="of">${when}</span></p>
    <p role="status" class="refused"><${Words} text=${refused} /></p>
    </form>
  </details>`;
}
