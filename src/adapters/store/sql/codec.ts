import { z } from "zod";
import { messageOf, OutsideError, UNREADABLE_ROW } from "../../../domain/kernel/errors.ts";
import type { Columns, SqlValue } from "./schema.ts";

/** Reports a row that this version cannot have written. Nothing acts on it until a person has looked. */
export class UnreadableRow extends OutsideError {
  override readonly name = "UnreadableRow";
  readonly table: string;
  readonly id: string;

  constructor(table: string, id: string, fault: string) {
    super(UNREADABLE_ROW, `${table} ${id} cannot be read: ${fault}`, {
      consequence: "tell",
      advice: `Correct ${table} ${id} in the database, or restore a backup.`,
    });
    this.table = table;
    this.id = id;
  }
}

/** Converts between the fields of a record and the columns of its table. */
export interface Codec<R> {
  /** Converts fields to columns; also takes part of a record. */
  encode<T extends Partial<R>>(fields: T): Columns<T>;
  /** Converts a row to a record, without columns that the schema does not name. Throws `UnreadableRow`. */
  decode(row: Readonly<Record<string, unknown>>): R;
  /**
   * Converts a value for comparison with its column. Throws for a field stored as JSON, because equal values
   * may differ as text.
   */
  comparable(field: string, value: unknown): SqlValue;
}

/**
 * Creates the codec of a table. `schema` decides how each field is stored; `id` names the field that
 * identifies rows in errors.
 */
export function codec<R>(table: string, schema: z.ZodObject & z.ZodType<R>, id = "id"): Codec<R> {
  const kinds = new Map(Object.entries(schema.shape).map(([field, type]) => [field, storedAs(type)]));
  const column = (field: string, value: unknown): SqlValue => {
    if (kinds.get(field) === "json") return JSON.stringify(value ?? null);
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "string" || typeof value === "number" || value === null) return value;
    throw new TypeError(`${table}.${field} cannot hold ${typeof value}`);
  };
  return {
    encode: <T extends Partial<R>>(fields: T) => {
      const columns = Object.entries(fields).map(([field, value]) => [field, column(field, value)]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `column` makes of each field what `Column` says
      return Object.fromEntries(columns) as Columns<T>;
    },
    decode: (row) => {
      const fail = (fault: string) => new UnreadableRow(table, String(row[id]), fault);
      const fields: Record<string, unknown> = {};
      for (const [field, kind] of kinds) {
        try {
          fields[field] = fromColumn(kind, row[field]);
        } catch (error) {
          throw fail(`${field}: ${messageOf(error)}`);
        }
      }
      const parsed = schema.safeParse(fields);
      if (!parsed.success) throw fail(z.prettifyError(parsed.error));
      return parsed.data;
    },
    comparable: (field, value) => {
      if (kinds.get(field) === "json")
        throw new TypeError(`${table}.${field} is kept as JSON: filter the rows found`);
      return column(field, value);
    },
  };
}

type Kind = "plain" | "boolean" | "json";

function storedAs(type: z.core.$ZodType): Kind {
  if (type instanceof z.ZodNullable) return storedAs(type.unwrap());
  if (type instanceof z.ZodBoolean) return "boolean";
  const plain = type instanceof z.ZodString || type instanceof z.ZodNumber || type instanceof z.ZodEnum;
  return plain ? "plain" : "json";
}

function fromColumn(kind: Kind, value: unknown): unknown {
  if (kind === "json") return typeof value === "string" ? JSON.parse(value) : value;
  return kind === "boolean" && (value === 0 || value === 1) ? value === 1 : value;
}
