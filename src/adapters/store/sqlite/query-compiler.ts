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

/**
 * Compiles Kysely's queries to SQL with names in snake case, and to plans that do not depend on bound values.
 */
export class QueryCompiler extends SqliteQueryCompiler {
  /**
   * SQLite recompiles a statement whenever a value is bound that its plan may depend on, which takes far
   * longer than most queries run. A unary plus changes no value and keeps the plan independent of it.
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

/**
 * Converts rows of results to camel case. The compiler converts the names in queries, because a copy of each
 * query costs more.
 */
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
