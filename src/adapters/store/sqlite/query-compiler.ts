import { type FunctionNode, SqliteQueryCompiler } from "kysely";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
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

const names = new CamelCaseRows();
