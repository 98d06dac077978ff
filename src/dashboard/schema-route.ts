import { afterUnread, type Route } from "../http/http-server.ts";

/** Where a schema is served. Names are those of `docs/schema`. */
export const SCHEMA_PATH = "/schema/";

/**
 * Serves the schemas of configuration files, by name. They need no token: an editor has none, and they are the same for
 * every installation.
 */
export function createSchemaRoute(print: ReadonlyMap<string, () => string>): Route {
  return ({ request, response, target: { path } }) => {
    const schema = path.startsWith(SCHEMA_PATH) ? print.get(path.slice(SCHEMA_PATH.length)) : undefined;
    if (schema === undefined) return null;
    const isRead = request.method === "GET" || request.method === "HEAD";
    response.writeHead(isRead ? 200 : 405, {
      "content-type": "application/schema+json; charset=utf-8",
      "x-content-type-options": "nosniff",
      // Editors in a browser read it from other sites.
      "access-control-allow-origin": "*",
      ...(isRead ? {} : { allow: "GET" }),
      ...afterUnread(request),
    });
    response.end(isRead ? schema() : undefined);
    return Promise.resolve();
  };
}
