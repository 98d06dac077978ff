import type { WebFlow } from "../auth/web-flow.ts";
import type { Answer } from "../http/answer.ts";
import { html, PAGE_HEADERS, page } from "../render/html.ts";
import type { World } from "../world/world.ts";

/**
 * Asks which person is signing in, because there are no sessions here, and whether the App may know it. Then redirects
 * the browser back to the App.
 */
export function signInPage(
  { app, accounts }: World,
  flow: WebFlow,
  { method, url, form }: { readonly method: string; readonly url: URL; readonly form: URLSearchParams },
): Answer | undefined {
  const wish = flow.wish(url.searchParams);
  if (wish === null) return undefined;
  if ("refusedTo" in wish) return { status: 302, text: "", headers: { location: wish.refusedTo } };
  const people = [...accounts.values()].filter(({ type }) => type === "User");
  if (method === "POST") {
    const person = people.find(({ login }) => login === form.get("login")) ?? null;
    return { status: 302, text: "", headers: { location: flow.answer(wish, person) } };
  }
  const buttons = people.map(
    ({ login }) => html`<button name="login" value="${login}">Authorize ${app.name} as ${login}</button> `,
  );
  const text = page(
    "Authorize",
    html`<h1>${app.name} by ${app.slug} would like to know who you are</h1>
<form method="post">${buttons}<button name="login" value="">Cancel</button></form>`,
  );
  return { status: 200, text, headers: PAGE_HEADERS };
}
