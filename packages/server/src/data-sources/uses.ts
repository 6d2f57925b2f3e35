import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { canFill } from '../access/ensure-lookup.ts';
import type { RequestContext } from '../access/request-context.ts';
import { templatesInScope } from '../access/resource-scope/filters.ts';
import { listedNames } from '../access/resource-scope/names.ts';
import { badRequest } from '../api-error.ts';
import { Template } from '../templates/entities/template.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import { readFollowedVersions, readTemplates, type ReadDocuments } from './queries/read-documents.ts';

/** A field of a document that looks up rows of a data source. */
interface Use {
  readonly document: ProcessDocument;
  readonly lookup: LookupDefinition;
}

/** Throws a 400 that names the templates that look up rows of a data source. */
export async function ensureSourceUnused(context: RequestContext, dataSourceId: string): Promise<void> {
  await ensureNone(context, dataSourceId, () => true, 'The data source cannot be deleted', 'look up its rows');
}

/** Throws a 400 that names the templates that show a column or fill fields from it. */
export async function ensureColumnUnused(
  context: RequestContext,
  { id, dataSourceId }: Pick<DataSourceColumn, 'id' | 'dataSourceId'>,
): Promise<void> {
  const isUse = ({ lookup }: Use) =>
    lookup.labelColumnId === id || lookup.autoFill.some(({ columnId }) => columnId === id);
  await ensureNone(context, dataSourceId, isUse, 'The column cannot be deleted', 'use it');
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
  const why = 'fill fields from it that it would no longer fit';
  await ensureNone(context, dataSourceId, isMisfit, `The column cannot become ${type}`, why);
}

async function ensureNone(
  context: RequestContext,
  dataSourceId: string,
  isMeant: (use: Use) => boolean,
  what: string,
  why: string,
): Promise<void> {
  const current = await templatesWith(context, dataSourceId, isMeant, readTemplates);
  if (current !== '') {
    throw badRequest(
      'in_use',
      `${what} while drafts or published versions of templates ${why}: ${current}; change these fields and publish first.`,
    );
  }
  const followed = await templatesWith(context, dataSourceId, isMeant, readFollowedVersions);
  if (followed !== '') {
    throw badRequest(
      'in_use',
      `${what} while active runs follow older versions of templates that ${why}: ${followed}; migrate these runs to the latest version, or complete or cancel them first.`,
    );
  }
}

/**
 * The names of the templates with such a use, alphabetically, as a message lists them; empty if there is none.
 * Documents can be large, so they are read in batches.
 */
async function templatesWith(
  { em, actor }: RequestContext,
  dataSourceId: string,
  isMeant: (use: Use) => boolean,
  read: ReadDocuments,
): Promise<string> {
  const named = { tasks: [{ fields: [{ dataSource: { dataSourceId } }] }] };
  const using = new Set<string>();
  for (let after: string | null = null; ;) {
    const { rows, limit } = await read(em, actor.organizationId, named, after);
    const batch = rows.slice(0, limit);
    for (const { templateId, draft, document } of batch) {
      if ([draft, document].some((each) => each && usesIn(each, dataSourceId).some(isMeant))) using.add(templateId);
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
