import { LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { RepositoryFileRow } from "../../domain/ports/settings-tables.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import {
  keptOf,
  type ReadRepositoryFile,
  type RepositoryFileRead,
  repositoryFileMessage,
} from "../../domain/settings/repository-file.ts";
import type { RepositoryOverride } from "../../domain/settings/repository-override.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { shutScopes } from "../breakers/shut-scopes.ts";
import { readRepositoryConfig } from "./read-repository-config.ts";

/** How often a process that reads no files looks at what others have stored. */
const FOLLOW_MS = 5_000;

interface Given {
  readonly store: Store;
  readonly github: Pick<GitHub, "directory" | "file" | "repository">;
  readonly settings: Settings;
  /** Whether this process reads the files on GitHub; else it follows what others have stored. */
  readonly readsFiles?: boolean;
  readonly readFile: ReadRepositoryFile;
  /**
   * Receives the basis of each delivery's decision: the valid content of the repository's own file, or null.
   */
  readonly note: (repository: RepositoryRow, override: RepositoryOverride | null) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps the effective settings of each repository: the operator's, changed by the repository's own file.
 * Reads the file before the process's first delivery, on pushes to the default branch, and once per
 * `reconcile_every` where something happens or an agent lives. The database keeps the last content.
 */
export class RepositorySettings {
  readonly #given: Given;
  readonly #rows = new Map<number, RepositoryFileRow>();
  readonly #settings = new Map<number, Settings>();
  /**
   * When this process last read each file; today's settings may judge an earlier process's content
   * differently.
   */
  readonly #readAt = new Map<number, number>();
  readonly #reading = new Map<number, Promise<void>>();
  #loaded: Promise<void> | undefined;
  #slice: number | null = null;

  constructor(given: Given) {
    this.#given = given;
  }

  /** Returns the settings as last read; the operator's where nothing was read. */
  of(repositoryId: number): Settings {
    return this.#settings.get(repositoryId) ?? this.#given.settings;
  }

  all(): readonly Settings[] {
    return [this.#given.settings, ...this.#settings.values()];
  }

  /** Returns the last content if it was faulty. */
  faultyIn(repositoryId: number): RepositoryFileRow | undefined {
    const row = this.#rows.get(repositoryId);
    return row !== undefined && row.faults.length > 0 ? row : undefined;
  }

  /** Loads what earlier processes stored; once. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<void> {
    for (const row of await this.#given.store.repositoryFiles.all()) this.#keep(row);
  }

  /**
   * Returns settings read at most `reconcile_every` ago. Throws `GitHubError` where nothing was ever read and
   * GitHub does not answer.
   */
  async fresh(repository: RepositoryRow): Promise<Settings> {
    await this.load();
    const { clock, settings, readsFiles = true } = this.#given;
    if (!readsFiles) return this.of(repository.id);
    const last = this.#readAt.get(repository.id);
    if (last === undefined || clock.now() - last >= settings.reconcileEveryMs) await this.refresh(repository);
    this.#given.note(repository, this.#rows.get(repository.id)?.override ?? null);
    return this.of(repository.id);
  }

  /** Reads the file now; concurrent calls share one read. After a failure the last content stays in force. */
  async refresh(repository: RepositoryRow): Promise<void> {
    await this.load();
    const under = this.#reading.get(repository.id);
    if (under !== undefined) return under;
    const reading = this.#read(repository).finally(() => this.#reading.delete(repository.id));
    this.#reading.set(repository.id, reading);
    return reading;
  }

  /** Reads the files of repositories with live agents, once per `reconcile_every`. */
  async round(): Promise<void> {
    const { store, clock, settings, log, readsFiles = true } = this.#given;
    const slice = Math.floor(clock.now() / (readsFiles ? settings.reconcileEveryMs : FOLLOW_MS));
    if (slice === this.#slice) return;
    this.#slice = slice;
    if (!readsFiles) return this.#load();
    await this.load();
    const shut = await shutScopes(store);
    const live = (await store.lists.agentCounts()).filter(({ state }) =>
      LIVE_AGENT_STATES.some((one) => one === state),
    );
    for (const id of new Set(live.map(({ repositoryId }) => repositoryId))) {
      const repository = await store.repositories.get(id);
      if (repository === undefined || shut.has(repositoryScope(id))) continue;
      await this.fresh(repository).catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, "repository's file not checked"),
      );
    }
  }

  async #read(repository: RepositoryRow): Promise<void> {
    const { clock, log } = this.#given;
    const before = this.#rows.get(repository.id);
    const known = this.#readAt.has(repository.id) ? (before?.fingerprint ?? null) : null;
    try {
      const { fingerprint, read } = await readRepositoryConfig(this.#given, repository, known);
      // GitHub also reports an empty repository when it does not show it to us, so access is checked.
      if (fingerprint === "" && before !== undefined && before.fingerprint !== "")
        await this.#given.github.repository(repository);
      if (read !== null) await this.#take(repository, { fingerprint, ...read });
      this.#readAt.set(repository.id, clock.now());
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const passing = error.consequence === "retry" || error.consequence === "park";
      if (before === undefined && passing) throw error;
      // Counts as read, so that a refusal is not repeated at each delivery.
      this.#readAt.set(repository.id, clock.now());
      log.warn(
        { error: error.message, repository: fullName(repository) },
        "repository's file not read: the last version applies",
      );
    }
  }

  async #take(
    repository: RepositoryRow,
    read: RepositoryFileRead & { readonly fingerprint: string },
  ): Promise<void> {
    const { store, clock } = this.#given;
    const before = this.#rows.get(repository.id);
    const row = keptOf(before, {
      repositoryId: repository.id,
      fingerprint: read.fingerprint,
      faults: read.faults,
      override: read.fingerprint === "" ? undefined : read.override,
      readAt: clock.now(),
    });
    const news = repositoryFileMessage(before, row, read.notices);
    await store.transaction(async (tables) => {
      await tables.repositoryFiles.put(row);
      if (news !== null) await tables.decisions.add(this.#decision(row, news));
    });
    this.#keep(row);
  }

  #decision(
    { repositoryId, readAt: at, fingerprint, faults }: RepositoryFileRow,
    { rule, reason }: NonNullable<ReturnType<typeof repositoryFileMessage>>,
  ): Parameters<Tables["decisions"]["add"]>[0] {
    // Filed under issue 0; `flotilla explain owner/repo#0` shows it.
    const about = { agentId: null, issue: 0, repositoryId, delivery: null };
    const change =
      faults.length > 0 ? "correct the file; `flotilla check --file` checks it before it is pushed" : null;
    return { ...about, at, rule, reason, change, inputs: { fingerprint, faults } };
  }

  #keep(row: RepositoryFileRow): void {
    this.#rows.set(row.repositoryId, row);
    if (row.override === null) this.#settings.delete(row.repositoryId);
    else this.#settings.set(row.repositoryId, settingsFor(this.#given.settings, row.override));
  }
}
