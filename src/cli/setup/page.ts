import { type AppChoices, addressFault, manifestOf } from "./manifest.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}label{display:block;margin:.8rem 0}input{width:100%;font:inherit;padding:.3rem}button{font:inherit;padding:.5rem 1rem}:root{color-scheme:light dark}";

/** Returns the address of GitHub's page for a new App of the account or organization. */
function newAppUrl(gitUrl: string, organization: string, state: string): string {
  const path = organization === "" ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${gitUrl}${path}/settings/apps/new?state=${state}`;
}

/**
 * Renders the form for the App's properties, and the button that makes GitHub create the App once its address
 * is valid.
 */
export function choicesPage(
  choices: AppChoices,
  to: { readonly gitUrl: string; readonly state: string; readonly redirectUrl: string },
): string {
  const fault = addressFault(choices.address);
  const button =
    fault === undefined
      ? `<form method="post" action="${escaped(newAppUrl(to.gitUrl, choices.organization, to.state))}">
<input type="hidden" name="manifest" value="${escaped(manifestOf(choices, to.redirectUrl))}">
<p>Webhooks go to <code>${escaped(new URL(choices.address).origin)}/api/github/webhooks</code>.</p>
<button>Make the App on ${escaped(new URL(to.gitUrl).host)}</button></form>`
      : `<p role="status">${escaped(fault)}</p>`;
  return page(
    "Make the GitHub App",
    `<form method="get"><label>Public address of this server <input name="address" type="url" required value="${escaped(choices.address)}"></label>
<label>Name of the App, unique on GitHub <input name="name" required maxlength="34" value="${escaped(choices.name)}"></label>
<label>Organization that it belongs to; empty for your own account <input name="organization" value="${escaped(choices.organization)}"></label>
<button>Update</button></form>${button}`,
  );
}

/** Renders the next step, with one link. */
export function donePage(installUrl: string): string {
  return page(
    "The App is made",
    `<p>Its keys are where <code>flotilla init</code> was started, which says what is next.</p>
<p><a href="${escaped(installUrl)}">Install it on your repositories</a></p>`,
  );
}

/**
 * Renders a refusal. `start` is the path of the page to begin again; undefined for a visitor without the
 * printed link.
 */
export function refusedPage(why: string, start?: string): string {
  const again = start === undefined ? "" : `<p><a href="${escaped(start)}">Begin again</a></p>`;
  return page("Not done", `<p role="alert">${escaped(why)}</p>${again}`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1>${body}</main></html>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
