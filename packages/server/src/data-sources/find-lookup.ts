import type { LookupDefinition } from '@runward/engine';
import { templatesContaining } from '../access/queries/templates-containing.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { badRequest, notFound } from '../api-error.ts';

/**
 * The look-up of a field of a template, in its published version or else in its draft. Throws a 404 if no template has
 * the field, a 403 if the template is outside the resource scope, or a 400 if the field does not look up rows of the
 * data source.
 */
export async function findLookup(
  { em, actor }: RequestContext,
  dataSourceId: string,
  fieldId: string,
): Promise<LookupDefinition> {
  const named = { tasks: [{ fields: [{ id: fieldId }] }] };
  const template = await templatesContaining(em, actor.organizationId, [named])
    .select(['template.id', 'template.draft', 'version.document'])
    .executeTakeFirst();
  if (!template) throw notFound('Field');
  await ensureTemplateInScope(em, actor, template.id);
  const fields = [template.document, template.draft].flatMap((document) =>
    (document?.tasks ?? []).flatMap((task) => task.fields.filter(({ id }) => id === fieldId)),
  );
  const lookup = fields[0]?.dataSource;
  if (lookup?.dataSourceId === dataSourceId) return lookup;
  throw badRequest([
    'templateFieldId: must be a DATA_SOURCE field that looks up rows of this data source; see its dataSource',
  ]);
}
