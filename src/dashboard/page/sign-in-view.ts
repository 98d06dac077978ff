/// <reference lib="dom" />
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Refused, signIn } from "./ask.ts";

/** Asks for the token. Shows nothing else to a viewer who has not signed in. */
export function SignInView({ byGitHub }: { readonly byGitHub: boolean }) {
  const [wrong, setWrong] = useState("");
  const [token, setToken] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await signIn(token.trim());
      location.reload();
    } catch (error) {
      setWrong(error instanceof Refused ? "This token is wrong." : "Flotilla is not responding.");
    }
  };
  return html`<main id="main" class="sign-in">
    <h1>Flotilla</h1>
    ${byGitHub ? html`<p class="way"><a class="button" href="/sign-in/github">Sign in with GitHub</a></p>` : null}
    <p>
      Sign in with the token of this Flotilla: the value of DASHBOARD_TOKEN, or the content of the file dashboard-token in
      its data directory. The link that flotilla serve prints signs you in automatically.
    </p>
    <form onSubmit=${(event: Event) => void submit(event)}>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="current-password"
        required
        value=${token}
        aria-describedby="wrong"
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setToken(currentTarget.value)}
      />
      <button type="submit">Sign in</button>
      <p id="wrong" role="alert" class="refused">${wrong}</p>
    </form>
  </main>`;
}
