import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { canFill } from '../access/ensure-lookup.ts';
import type { RequestContext } from '../access/request-context.ts';
import { templatesInScope } from '../access/resource-scope/filters.ts';
import { listedNames } from '../access/resource-scope/names.ts';
import { badRequest } from '../api-error.ts';
import { Template } from '../templates/entities/template.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import { readTemplates } from './queries/read-templates.ts';

/** A field of the draft or the published version of a template that looks up rows of a data source. */
interface Use {
  readonly document: ProcessDocument;
  readonly lookup: LookupDefinition;
}

/** Throws a 400 that names the templates whose draft or published version looks up rows of a data source. */
export async function ensureSourceUnused(context: RequestContext, dataSourceId: string): Promise<void> {
  ensureNone(
    await templatesWith(context, dataSourceId, () => true),
    'The data source cannot be deleted',
    'look up its rows',
  );
}

/** Throws a 400 that names the templates whose draft or published version shows a column or fills fields from it. */
export async function ensureColumnUnused(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
): Promise<void> {
  const isUse = ({ lookup }: Use) =>
    lookup.labelColumnId === id || lookup.autoFill.some(({ columnId }) => columnId === id);
  ensureNone(await templatesWith(context, dataSourceId, isUse), 'The column cannot be deleted', 'use it');
}

/** Throws a 400 that names the templates that a column would no longer fit after a change of its type. */
export async function ensureTypeFits(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
  type: DataSourceColumn['type'],
): Promise<void> {
  const isMisfit = ({ document, lookup }: Use) => {
    const fields = new Map(document.tasks.flatMap((task) => task.fields.map((field) => [field.id, field])));
    const misfits = lookup.autoFill.some(({ columnId, fieldId }) => {
      const field = fields.get(fieldId);
      return columnId === id && field !== undefined && !canFill(type, field.type);
    });
    return misfits || (lookup.labelColumnId === id && type === 'RELATION');
  };
  const templates = await templatesWith(context, dataSourceId, isMisfit);
  ensureNone(templates, `The column cannot become ${type}`, 'fill fields from it that it would no longer fit');
}

function ensureNone(templates: string, what: string, why: string): void {
  if (templates === '') return;
  throw badRequest(
    'in_use',
    `${what} while drafts or published versions of templates ${why}: ${templates}; change these fields and publish first.`,
  );
}

/**
 * The names of the templates with such a use, alphabetically, as a message lists them; empty if there is none.
 * Documents can be large, so they are read in batches.
 */
async function templatesWith(
  { em, actor }: RequestContext,
  dataSourceId: string,
  isMeant: (use: Use) => boolean,
): Promise<string> {
  const named = { tasks: [{ fields: [{ dataSource: { dataSourceId } }] }] };
  const using = new Set<string>();
  for (let after: string | null = null; ;) {
    const { rows, limit } = await readTemplates(em, actor.organizationId, named, after);
    const batch = rows.slice(0, limit);
    for (const { id, draft, document } of batch) {
      if ([draft, document].some((each) => each && usesIn(each, dataSourceId).some(isMeant))) using.add(id);
    }
    after = batch.at(-1)?.id ?? null;
    if (rows.length <= limit) break;
  }
  const visible = await em.find(
    Template,
    { $and: [templatesInScope(actor), { id: { $in: [...using] } }] },
    { fields: ['name'], disableIdentityMap: true },
  );
  const names = visible.map(({ name }) => `"${name}"`).toSorted();
  return listedNames(names, using.size - visible.length);
}

function usesIn(document: ProcessDocument, dataSourceId: string): Use[] {
  const fields = document.tasks.flatMap((task) => task.fields);
  return fields.flatMap(({ dataSource }) =>
    dataSource?.dataSourceId === dataSourceId ? [{ document, lookup: dataSource }] : [],
  );
}
