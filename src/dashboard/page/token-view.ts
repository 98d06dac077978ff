/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { type Me, Refused, read } from "./ask.ts";
import { Frame } from "./frame.ts";

interface Made {
  readonly token: string;
  readonly until: string;
}

/** Makes a person's token for their own programs, and ends those that there are. */
export function TokenView({ me }: { readonly me: Me }) {
  return html`<${Frame} me=${me} lost=${null}>
    <div class="token">
      <h1>A token for your programs</h1>
      <p>With a token, a program of yours reads what you may read here, and acts in your name where you may give commands.
        Your own agent can use it, through <code>flotilla mcp</code>. Whoever has the token can do the same.</p>
      ${me.viewer.kind === "person" ? html`<${Tokens} />` : html`<p>You are the operator: give your program the token that you signed in with. It may do everything.</p>`}
    </div>
  <//>`;
}

function Tokens() {
  const [made, setMade] = useState<Made | null>(null);
  const [said, setSaid] = useState("");
  const ask = async (path: string): Promise<Made | null> => {
    try {
      return await post(path);
    } catch (error) {
      setSaid(error instanceof Refused ? error.message : "Flotilla is not responding.");
      return null;
    }
  };
  const make = async (): Promise<void> => {
    const answer = await ask("/api/tokens");
    if (answer === null) return;
    setMade(answer);
    setSaid("Copy it now: it is not shown again.");
  };
  const end = async (): Promise<void> => {
    if ((await ask("/api/tokens/end")) === null) return;
    setMade(null);
    setSaid("All tokens that you made have ended.");
  };
  return html`
    <p>A token is valid for 90 days.</p>
    <div class="acts">
      <button type="button" onClick=${() => void make()}>Make a token</button>
      <button type="button" onClick=${() => void end()}>End all my tokens</button>
    </div>
    <p role="status">${said}</p>
    ${
      made === null
        ? null
        : html`<label for="made">Your token, valid until ${new Date(made.until).toLocaleDateString()}</label>
            <input id="made" readonly value=${made.token} onFocus=${selectAll} />`
    }
  `;
}

function selectAll({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void {
  currentTarget.select();
}

async function post(path: string): Promise<Made> {
  const { page } = await read<Me>("/api/me");
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-flotilla-page": page },
    body: "{}",
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(response.status, String(answer.why ?? answer.error));
  return answer;
}
