import { type FunctionNode, PostgresQueryCompiler } from "kysely";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
import { inWordsOf } from "../sql/dialect.ts";
import { postgresDialect } from "./dialect.ts";

/** Compiles Kysely's queries to PostgreSQL's SQL with names in snake case. */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const written = inWordsOf(postgresDialect, node);
    if (written === undefined) super.visitFunction(node);
    else this.visitNode(written);
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.columnOf(identifier));
  }
}

const names = new CamelCaseRows();
