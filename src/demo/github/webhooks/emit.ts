import type { Observe } from "../http/observe.ts";
import type { Happening, World } from "../world/world.ts";
import { buildPayload } from "./payload.ts";
import type { Webhooks } from "./webhooks.ts";

/** Events that are sent to every App, subscribed or not. */
const always = new Set(["installation", "installation_repositories"]);

/**
 * Creates the function that turns happenings into webhooks: those that the App subscribes to, of repositories that its
 * installation covers. Renders the payload at once, so that later changes do not affect it.
 */
export function createEmit(observe: Observe): {
  emit: (happening: Happening) => void;
  connect: (world: World, webhooks: Webhooks) => void;
} {
  let connected: { world: World; webhooks: Webhooks } | undefined;
  return {
    connect: (world, webhooks) => {
      connected = { world, webhooks };
    },
    emit: (happening) => {
      if (connected === undefined) throw new Error("Something happened before the local GitHub was ready.");
      const { world, webhooks } = connected;
      const { event, action, repository } = happening;
      if (!always.has(event) && !world.app.events.includes(event)) return;
      if (repository !== null && !world.installation.repositories.has(repository.id)) return;
      const payload = buildPayload(world, happening);
      const body = JSON.stringify(payload);
      observe.webhook?.({ event, payload: JSON.parse(body) });
      if (world.app.hook.url === "") return;
      webhooks.queue({ event, action, body, repositoryId: repository?.id ?? null });
    },
  };
}
