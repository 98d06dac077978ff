import { attachmentPath, isSigned } from "../auth/signed-address.ts";
import { AUTHORIZE_PATH, type WebFlow } from "../auth/web-flow.ts";
import type { Answer } from "../http/answer.ts";
import type { PageHandler } from "../http/front.ts";
import { type Person, PersonRefused } from "../person.ts";
import { type Html, html, PAGE_HEADERS, page } from "../render/html.ts";
import type { Manifests } from "../routes/manifest.ts";
import type { Issue, Repository } from "../world/records.ts";
import { fullNameOf, type World } from "../world/world.ts";
import { issuePageOf, labelsOf } from "./issue-page.ts";
import { signInPage } from "./sign-in-page.ts";

function answer(status: number, title: string, body: Html): Answer {
  return { status, text: page(title, body), headers: PAGE_HEADERS };
}

function redirect(location: string): Answer {
  return { status: 302, text: "", headers: { location } };
}

const missing = answer(404, "Not found", html`<h1>Not found</h1>`);

/**
 * Creates the pages for the browser: a repository's issues, one issue, the registration of an App from a manifest, and
 * signing in to the App.
 */
export function createPages(
  world: World,
  manifests: Manifests,
  flow: WebFlow,
  personFor: (repository: Repository) => Person | undefined,
): PageHandler {
  return async (method, url, form) => {
    const path = decodeURIComponent(url.pathname);
    if (/^(\/organizations\/[^/]+)?\/settings\/apps\/new$/.test(path))
      return newApp(manifests, method, url, form);
    if (path === AUTHORIZE_PATH) return signInPage(world, flow, { method, url, form }) ?? missing;
    if (path === `/apps/${world.app.slug}/installations/new`) {
      return answer(
        200,
        "Installed",
        html`<h1>${world.app.name} is installed on ${world.organization.login}</h1>`,
      );
    }
    const file = attachmentAt(world, url);
    if (file !== undefined) return file;
    const log = jobLog(world, path);
    if (log !== undefined) return { status: 200, text: log, headers: { "content-type": "text/plain" } };
    if (path === "/") {
      const links = [...world.repositories.values()].map(
        (repository) => html`<li><a href="/${fullNameOf(repository)}">${fullNameOf(repository)}</a></li>`,
      );
      return answer(200, "Local GitHub", html`<h1>Repositories</h1><ul>${links}</ul>`);
    }
    const [, name = "", number] = /^\/([^/]+\/[^/]+?)(?:\/(?:issues|pull)(?:\/(\d+))?)?\/?$/.exec(path) ?? [];
    const repository = world.repositories.get(name.toLowerCase());
    const person = repository && personFor(repository);
    if (repository === undefined || person === undefined) return missing;
    if (number === undefined) return repositoryPage(repository);
    const issue = repository.issues.get(Number(number));
    if (issue === undefined) return missing;
    if (method === "POST") return await act(person, issue, form, path);
    const text = await issuePageOf(repository, issue, person.login);
    return { status: 200, text, headers: PAGE_HEADERS };
  };
}

/** Returns an attachment to anybody who has its signed address. */
function attachmentAt(world: World, url: URL): Answer | undefined {
  const found = [...world.attachments.values()].find((one) => attachmentPath(one) === url.pathname);
  if (found === undefined || !isSigned(url, world.nowMs())) return undefined;
  const { type, bytes } = found;
  const headers = { "content-type": type, "content-length": String(bytes.byteLength) };
  return { status: 200, text: Buffer.from(bytes), headers };
}

/** Returns the log of a job; the API redirects requests for a job's log here. */
function jobLog({ repositories }: World, path: string): string | undefined {
  const [, id] = /^\/job-logs\/(\d+)$/.exec(path) ?? [];
  const runs = [...repositories.values()].flatMap(({ checkRuns }) => checkRuns);
  return runs.find((run) => run.id === Number(id))?.job?.log;
}

function repositoryPage(repository: Repository): Answer {
  const name = fullNameOf(repository);
  const rows = [...repository.issues.values()].toReversed().map(
    (issue) => html`<li><span class="state ${issue.state}">${issue.state}</span>
<a href="/${name}/${issue.pull ? "pull" : "issues"}/${issue.number}">#${issue.number} ${issue.title}</a> ${labelsOf(issue)}</li>`,
  );
  return answer(200, name, html`<h1>${name}</h1><ul>${rows}</ul>`);
}

async function act(person: Person, issue: Issue, form: URLSearchParams, path: string): Promise<Answer> {
  const { number } = issue;
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    comment: async () => await person.comment(number, form.get("body") ?? ""),
    label: async () => await person.label(number, form.get("label") ?? ""),
    close: async () => await person.close(number),
    reopen: async () => await person.reopen(number),
    merge: async () => await person.merge(number),
  };
  try {
    await acts[form.get("act") ?? ""]?.();
  } catch (error) {
    if (!(error instanceof PersonRefused)) throw error;
    return answer(
      error.status,
      "Refused",
      html`<h1>Refused</h1><p>${error.message}</p><a href="${path}">Back</a>`,
    );
  }
  return redirect(path);
}

function newApp(manifests: Manifests, method: string, url: URL, form: URLSearchParams): Answer {
  if (method !== "POST") {
    return answer(
      200,
      "New App",
      html`<h1>New GitHub App</h1><form method="post"><textarea name="manifest" placeholder="manifest (JSON)"></textarea><button>Create</button></form>`,
    );
  }
  try {
    return redirect(manifests.submit(form.get("manifest") ?? "", url.searchParams.get("state") ?? undefined));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return answer(400, "Bad manifest", html`<h1>The manifest cannot be used</h1><p>${error.message}</p>`);
  }
}
