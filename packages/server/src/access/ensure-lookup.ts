import type { ColumnType, FieldType } from '@runward/contract';
import { traitsOf, type LookupDefinition, type ProcessDocument } from '@runward/engine';
import { badRequest } from '../api-error.ts';
import { DataSourceColumn } from '../data-sources/entities/data-source-column.ts';
import { DataSource } from '../data-sources/entities/data-source.ts';
import { lockRow } from '../database/lock-row.ts';
import type { RequestContext } from './request-context.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** Whether a field can be filled from a column. */
export function canFill(column: ColumnType, field: FieldType): boolean {
  return traitsOf(field).filledFrom?.includes(column) ?? false;
}

/** The look-up of a field as a caller sends it; `path` leads to it. */
export interface SentLookup {
  readonly path: string;
  readonly dataSource: LookupDefinition | null | undefined;
}

/**
 * Throws a 400 if a look-up names a data source or a column that does not exist. Existing ones cannot change before the
 * transaction ends.
 */
export async function ensureLookup(context: Context, dataSource: LookupDefinition | null | undefined): Promise<void> {
  const problems = await lookupProblems(context, [{ path: 'dataSource', dataSource }]);
  if (problems.length > 0) throw badRequest(problems);
}

/**
 * A message for each data source and column of look-ups that does not exist. Existing ones cannot change before the
 * transaction ends.
 */
export async function lookupProblems(context: Context, lookups: readonly SentLookup[]): Promise<string[]> {
  const columns = await columnsOf(
    context,
    lookups.flatMap(({ dataSource }) => dataSource ?? []),
  );
  return lookups.flatMap(({ path, dataSource }) => {
    if (!dataSource) return [];
    const types = columns.get(dataSource.dataSourceId);
    if (!types) return [`${path}.dataSourceId: not a data source of this organization; see GET /data-sources`];
    const label = types.get(dataSource.labelColumnId);
    return [
      ...(label === undefined
        ? [`${path}.labelColumnId: no column of the data source; see GET /data-sources/:id`]
        : []),
      ...(label === 'RELATION' ? [`${path}.labelColumnId: must not be a RELATION column; choose another column`] : []),
      ...dataSource.autoFill.flatMap(({ columnId }, index) =>
        types.has(columnId)
          ? []
          : [`${path}.autoFill[${index}].columnId: no column of the data source; see GET /data-sources/:id`],
      ),
    ];
  });
}

/** The reasons why the look-ups of a document cannot be published, each with what to do. */
export async function unpublishableLookups(context: Context, { tasks }: ProcessDocument): Promise<string[]> {
  const fields = tasks.flatMap((task) => task.fields.map((field) => ({ task, field })));
  const columns = await columnsOf(
    context,
    fields.flatMap(({ field }) => field.dataSource ?? []),
  );
  return fields.flatMap(({ task, field: { label, dataSource } }) => {
    if (!dataSource) return [];
    const subject = `The field "${label}" of the task "${task.title}"`;
    const types = columns.get(dataSource.dataSourceId);
    if (!types?.has(dataSource.labelColumnId)) {
      return [`${subject} looks up rows of a data source or column that does not exist; choose another one.`];
    }
    return dataSource.autoFill.flatMap(({ columnId, fieldId }) => {
      const target = task.fields.find(({ id }) => id === fieldId);
      const type = types.get(columnId);
      if (!target || (type && canFill(type, target.type))) return [];
      const what = type ? `a ${type} column` : 'a column that does not exist';
      return [
        `${subject} fills the ${target.type} field "${target.label}" from ${what}; choose another column or field.`,
      ];
    });
  });
}

/** The types of columns by data source and id. */
async function columnsOf(
  { em, actor: { organizationId } }: Context,
  lookups: readonly LookupDefinition[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, ColumnType>>> {
  const found = new Map<string, ReadonlyMap<string, ColumnType>>();
  // Locked in a fixed order, so that two requests cannot block each other.
  for (const id of [...new Set(lookups.map(({ dataSourceId }) => dataSourceId))].toSorted()) {
    if (!(await lockRow(em, DataSource, { organizationId, id }, 'share'))) continue;
    const columns = await em.find(DataSourceColumn, { organizationId, dataSourceId: id });
    found.set(id, new Map(columns.map((column) => [column.id, column.type])));
  }
  return found;
}
