import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { templatesContaining } from '../access/queries/templates-containing.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { badRequest, notFound } from '../api-error.ts';
import { findOlderVersion } from './queries/find-older-version.ts';

/**
 * The look-up of a field of a template, in its published version, in its draft, or else in the newest older version,
 * which runs may still follow. Throws a 404 if no template has the field, a 403 if the template is outside the resource
 * scope, or a 400 if the field does not look up rows of the data source.
 */
export async function findLookup(
  { em, actor }: RequestContext,
  dataSourceId: string,
  fieldId: string,
): Promise<LookupDefinition> {
  const { organizationId } = actor;
  const having = (field: object) => ({ tasks: [{ fields: [{ id: fieldId, ...field }] }] });
  const lookupIn = (document: ProcessDocument | null) =>
    document?.tasks
      .flatMap((task) => task.fields)
      .find(({ id, dataSource }) => id === fieldId && dataSource?.dataSourceId === dataSourceId)?.dataSource;
  const current = await templatesContaining(em, organizationId, [having({})])
    .select(['template.id', 'template.draft', 'version.document'])
    .executeTakeFirst();
  const lookup = current && (lookupIn(current.document) ?? lookupIn(current.draft));
  const older = lookup
    ? undefined
    : await findOlderVersion(em, organizationId, having({ dataSource: { dataSourceId } }));
  const template = older ?? current;
  if (!template) throw notFound('Field');
  await ensureTemplateInScope(em, actor, template.id);
  const found = lookup ?? (older && lookupIn(older.document));
  if (found) return found;
  throw badRequest([
    'templateFieldId: must be a DATA_SOURCE field that looks up rows of this data source; see its dataSource',
  ]);
}
