import type { Config } from "../config/load-config.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { GitHub } from "../domain/ports/github.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Store } from "../domain/ports/store.ts";
import type { Engine } from "../engine/engine.ts";
import { ClaimInTurn, claimingInTurn } from "../engine/outbox/claim-in-turn.ts";
import type { RepositorySettings } from "../engine/settings/repository-settings.ts";
import { createReceiver, flotillaApp } from "../webhooks/probot-receiver.ts";
import { createDeliveryConsumer, type DeliveryConsumer } from "../webhooks/queue/delivery-consumer.ts";
import { HOST_FUNCTIONS } from "./host-functions.ts";
import type { openTraces } from "./open-traces.ts";
import { recordingPort, withRecording } from "./response-recorder.ts";

/** Creates what takes stored webhooks in order, and hands each to the engine. */
export function makeConsumer(
  config: Config,
  parts: {
    readonly privateKey: string;
    readonly apiUrl: string;
    readonly store: Store;
    readonly github: GitHub;
    readonly identity: Parameters<typeof flotillaApp>[0]["identity"];
    readonly ownSettings: RepositorySettings;
    readonly engine: Engine;
    readonly traces: Awaited<ReturnType<typeof openTraces>>;
    readonly node: string;
    readonly clock: Clock;
    readonly log: Log;
  },
): DeliveryConsumer {
  const { privateKey, apiUrl, store, github, identity, ownSettings, engine, traces, node, clock, log } =
    parts;
  const receive = createReceiver({
    appId: config.environment.appId,
    privateKey,
    // Signatures were checked before the deliveries were stored.
    secret: HOST_FUNCTIONS.nonce(),
    baseUrl: apiUrl,
    app: flotillaApp({
      settings: config,
      ownSettings,
      github: recordingPort(github),
      repositories: store.repositories,
      deliveries: store.deliveries,
      identity,
      handle: (event, claim) => engine.handle(event, claim),
      ignore: (delivery, reason, claim) => engine.ignore(delivery, reason, claim),
      clock,
      log,
    }),
    log,
  });
  return createDeliveryConsumer({
    deliveries: claimingInTurn(store.deliveries, new ClaimInTurn(store.repositories, config.weights)),
    receive: (delivery, claim) =>
      traces.handling(delivery, () => withRecording(() => receive(delivery, claim))),
    node,
    mayClaim: () => engine.mayTake(),
    nonce: HOST_FUNCTIONS.nonce,
    clock,
    log,
    concurrency: 8,
  });
}
