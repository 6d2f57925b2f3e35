import type { LookupDefinition, ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';

/**
 * The look-up of a field of a template: of its published version, else of its draft. Throws a 404 if no template has the field, a 403 if the
 * template is outside the resource scope, or a 400 if the field looks up no rows of the data source.
 */
export async function findLookup(
  { em, actor }: RequestContext,
  dataSourceId: string,
  fieldId: string,
): Promise<LookupDefinition> {
  const named = sql<ProcessDocument>`${JSON.stringify({ tasks: [{ fields: [{ id: fieldId }] }] })}::jsonb`;
  const template = await em
    .getKysely()
    .selectFrom('templates as template')
    .leftJoin('template_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'template.organization_id')
        .onRef('version.id', '=', 'template.published_version_id'),
    )
    .where('template.organization_id', '=', actor.organizationId)
    .where('template.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('template.draft', '@>', named), eb('version.document', '@>', named)]))
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
