import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";

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
