import type { MachineName } from "../../../domain/kernel/rows.ts";
import type { Records, RecordTable } from "../../../domain/ports/store.ts";

/** The records of one transaction; `forget` makes it read them again, after a write by other tables. */
export interface RememberedRecords extends RecordTable {
  readonly forget: () => void;
}

/**
 * Wraps the records of one transaction so that none is read twice: it keeps what was read and written. Nobody else
 * writes these rows meanwhile; where a database allows that, `save` throws for the other version.
 */
export function rememberedRecords(records: RecordTable): RememberedRecords {
  const memories: { readonly [M in MachineName]: Memory<Records[M]> } = {
    agent: new Memory(),
    run: new Memory(),
    session: new Memory(),
    task: new Memory(),
    review_lease: new Memory(),
    sprint: new Memory(),
    goal: new Memory(),
  };
  const memoryOf = <M extends MachineName>(machine: M): Memory<Records[M]> => memories[machine];
  /** The agents that this transaction inserted: nothing that refers to them was there before. */
  const newAgents = new Set<unknown>();
  return {
    ...records,
    get: async (machine, id) => {
      const memory = memoryOf(machine);
      return memory.record(id) ?? memory.readOne(() => records.get(machine, id));
    },
    find: async (machine, where) => {
      const memory = memoryOf(machine);
      const known = memory.list(where);
      if (known !== undefined) return known;
      if ("agentId" in where && newAgents.has(where.agentId) && isJudged(where))
        return memory.listKnown(where);
      return memory.readList(where, () => records.find(machine, where));
    },
    insert: async (machine, record) => {
      const inserted = await records.insert(machine, record);
      memoryOf(machine).wrote(inserted);
      if (machine === "agent") newAgents.add(inserted.id);
      return inserted;
    },
    save: async (machine, before, after) => {
      const saved = await records.save(machine, before, after);
      memoryOf(machine).wrote(saved);
      return saved;
    },
    count: (...counted) => {
      memories.agent.forget();
      return records.count(...counted);
    },
    renewLease: (...renewed) => {
      memories.agent.forget();
      return records.renewLease(...renewed);
    },
    renewWaiting: (renewal) => {
      memories.task.forget();
      return records.renewWaiting(renewal);
    },
    forget: () => {
      newAgents.clear();
      for (const memory of Object.values(memories)) memory.forget();
    },
  };
}

/** What is known of one machine's records. */
class Memory<R extends { readonly id: number }> {
  #records = new Map<number, R>();
  /** Complete answers by their condition as text. */
  #lists = new Map<string, { readonly where: object; readonly found: readonly R[] }>();
  /** Counts writes: what was read before one may lack it. */
  #writes = 0;

  record(id: number): R | undefined {
    return this.#records.get(id);
  }

  list(where: object): readonly R[] | undefined {
    return this.#lists.get(JSON.stringify(where))?.found;
  }

  async readOne(read: () => Promise<R | undefined>): Promise<R | undefined> {
    const writes = this.#writes;
    const found = await read();
    if (found !== undefined && writes === this.#writes) this.#records.set(found.id, found);
    return found;
  }

  async readList(where: object, read: () => Promise<readonly R[]>): Promise<readonly R[]> {
    const writes = this.#writes;
    const found = await read();
    return writes === this.#writes ? this.#keep(where, found) : found;
  }

  /** Answers from the known records alone. */
  listKnown(where: object): readonly R[] {
    const found = [...this.#records.values()].filter((record) => matches(where, record));
    return this.#keep(
      where,
      found.toSorted((a, b) => a.id - b.id),
    );
  }

  wrote(record: R): void {
    this.#writes += 1;
    this.#records.set(record.id, record);
    for (const [key, { where, found }] of this.#lists) {
      const others = found.filter(({ id }) => id !== record.id);
      if (!isJudged(where)) this.#lists.delete(key);
      else if (!matches(where, record)) this.#lists.set(key, { where, found: others });
      else this.#lists.set(key, { where, found: [...others, record].toSorted((a, b) => a.id - b.id) });
    }
  }

  forget(): void {
    this.#writes += 1;
    this.#records.clear();
    this.#lists.clear();
  }

  #keep(where: object, found: readonly R[]): readonly R[] {
    this.#lists.set(JSON.stringify(where), { where, found });
    for (const record of found) this.#records.set(record.id, record);
    return found;
  }
}

/** Fields of text whose stored form is that of the record. Others may be stored without a secret in them. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(["state", "role", "sessionId"]);

/** Returns whether a condition selects here what it selects in the database. */
function isJudged(where: object): boolean {
  return Object.entries(where).every(
    ([field, wanted]: [string, unknown]) =>
      PLAIN_TEXTS.has(field) || [wanted].flat().every((value) => value === null || typeof value === "number"),
  );
}

function matches(where: object, record: object): boolean {
  return Object.entries(where).every(([field, wanted]: [string, unknown]) =>
    [wanted].flat().includes(Reflect.get(record, field)),
  );
}
