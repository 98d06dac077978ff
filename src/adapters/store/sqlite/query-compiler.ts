import {
  CamelCasePlugin,
  type FunctionNode,
  type PluginTransformQueryArgs,
  type RootOperationNode,
  SqliteQueryCompiler,
  type UnknownRow,
} from "kysely";
import { inWordsOf } from "../sql/dialect.ts";
import { sqliteDialect } from "./dialect.ts";

/** How Kysely's queries become texts of ours: names in snake case, and plans that do not hang on what is bound. */
export class QueryCompiler extends SqliteQueryCompiler {
  /**
   * SQLite compiles a statement again whenever a value is bound that its plan may depend on, which takes far longer than
   * most of ours run. Behind a unary plus, which changes no value, it does not look at what is bound.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }

  protected override visitFunction(node: FunctionNode): void {
    const written = inWordsOf(sqliteDialect, node);
    if (written === undefined) super.visitFunction(node);
    else this.visitNode(written);
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.columnOf(identifier));
  }
}

/** The rows of the answers in camel case. The names of queries are the compiler's: a copy of each query costs more. */
export class CamelCaseRows extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  protected override mapRow(row: UnknownRow): UnknownRow {
    const mapped: UnknownRow = {};
    for (const column of Object.keys(row)) mapped[this.camelCase(column)] = row[column];
    return mapped;
  }

  columnOf(field: string): string {
    return this.snakeCase(field);
  }
}

const names = new CamelCaseRows();
