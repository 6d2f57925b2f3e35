import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { canFill } from '../access/ensure-lookup.ts';
import type { RequestContext } from '../access/request-context.ts';
import { templatesContaining } from '../access/queries/templates-containing.ts';
import { badRequest } from '../api-error.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';

/** A field of the draft or the published version of a template that looks up rows of a data source. */
interface Use {
  readonly template: string;
  readonly document: ProcessDocument;
  readonly lookup: LookupDefinition;
}

/** Throws a 400 naming the templates whose draft or published version looks up rows of a data source. */
export async function ensureSourceUnused(context: RequestContext, dataSourceId: string): Promise<void> {
  ensureNone(await usesOf(context, dataSourceId), 'The data source cannot be deleted', 'look up its rows');
}

/** Throws a 400 naming the templates whose draft or published version shows or fills fields from a column. */
export async function ensureColumnUnused(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
): Promise<void> {
  const uses = (await usesOf(context, dataSourceId)).filter(
    ({ lookup }) => lookup.labelColumnId === id || lookup.autoFill.some(({ columnId }) => columnId === id),
  );
  ensureNone(uses, 'The column cannot be deleted', 'use it');
}

/** Throws a 400 naming the templates that a column would no longer fit with another type. */
export async function ensureTypeFits(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
  type: DataSourceColumn['type'],
): Promise<void> {
  const uses = (await usesOf(context, dataSourceId)).filter(({ document, lookup }) => {
    const fields = new Map(document.tasks.flatMap((task) => task.fields.map((field) => [field.id, field])));
    const misfits = lookup.autoFill.some(({ columnId, fieldId }) => {
      const field = fields.get(fieldId);
      return columnId === id && field !== undefined && !canFill(type, field.type);
    });
    return misfits || (lookup.labelColumnId === id && type === 'RELATION');
  });
  ensureNone(uses, `The column cannot become ${type}`, 'fill fields from it that it would no longer fit');
}

function ensureNone(uses: readonly Use[], what: string, why: string): void {
  if (uses.length === 0) return;
  const names = [...new Set(uses.map(({ template }) => `"${template}"`))].join(', ');
  throw badRequest(
    `${what} while drafts or published versions of templates ${why}: ${names}; change these fields and publish first.`,
  );
}

async function usesOf({ em, actor: { organizationId } }: RequestContext, dataSourceId: string): Promise<Use[]> {
  const named = { tasks: [{ fields: [{ dataSource: { dataSourceId } }] }] };
  const templates = await templatesContaining(em, organizationId, [named])
    .select(['template.name', 'template.draft', 'version.document'])
    .orderBy('template.name')
    .execute();
  return templates.flatMap(({ name, draft, document }) =>
    [draft, document].flatMap((each) =>
      (each?.tasks ?? []).flatMap((task) =>
        task.fields.flatMap(({ dataSource }) =>
          each && dataSource?.dataSourceId === dataSourceId
            ? [{ template: name, document: each, lookup: dataSource }]
            : [],
        ),
      ),
    ),
  );
}
