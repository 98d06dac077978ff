import {
  type BinaryOperationNode,
  type FunctionNode,
  type OperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  ValueListNode,
} from "kysely";
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

  /** Nothing is in an empty list, for which PostgreSQL has no words. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const operator = OperatorNode.is(node.operator) ? node.operator.operator : undefined;
    if (!isEmptyList(node.rightOperand)) super.visitBinaryOperation(node);
    else if (operator === "in") this.append("false");
    else if (operator === "not in") this.append("true");
    else super.visitBinaryOperation(node);
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.columnOf(identifier));
  }
}

const isEmptyList = (node: OperationNode): boolean =>
  (PrimitiveValueListNode.is(node) || ValueListNode.is(node)) && node.values.length === 0;

const names = new CamelCaseRows();
