import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
import { canFill } from '../access/ensure-lookup.ts';
import type { RequestContext } from '../access/request-context.ts';
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
  refuse(await usesOf(context, dataSourceId), 'The data source cannot be deleted', 'look up its rows');
}

/** Throws a 400 naming the templates whose draft or published version shows or fills fields from a column. */
export async function ensureColumnUnused(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
): Promise<void> {
  const uses = (await usesOf(context, dataSourceId)).filter(
    ({ lookup }) => lookup.labelColumnId === id || lookup.autoFill.some(({ columnId }) => columnId === id),
  );
  refuse(uses, 'The column cannot be deleted', 'use it');
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
  refuse(uses, `The column cannot become ${type}`, 'fill fields from it that it would no longer fit');
}

function refuse(uses: readonly Use[], what: string, why: string): void {
  if (uses.length === 0) return;
  const names = [...new Set(uses.map(({ template }) => `"${template}"`))].join(', ');
  throw badRequest(
    `${what} while drafts or published versions of templates ${why}: ${names}; change these fields and publish first.`,
  );
}

async function usesOf({ em, actor: { organizationId } }: RequestContext, dataSourceId: string): Promise<Use[]> {
  const named = sql<ProcessDocument>`${JSON.stringify({ tasks: [{ fields: [{ dataSource: { dataSourceId } }] }] })}::jsonb`;
  const templates = await em
    .getKysely()
    .selectFrom('templates as template')
    .leftJoin('template_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'template.organization_id')
        .onRef('version.id', '=', 'template.published_version_id'),
    )
    .where('template.organization_id', '=', organizationId)
    .where('template.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('template.draft', '@>', named), eb('version.document', '@>', named)]))
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
