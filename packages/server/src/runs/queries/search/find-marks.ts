import type { Actor } from '../../../access/actor.ts';
import { templatesInScope } from '../../../access/resource-scope/filters.ts';
import type { Em } from '../../../database/database.ts';
import { SearchableField } from '../../../templates/entities/searchable-field.ts';
import { Template } from '../../../templates/entities/template.ts';

/** A field or flow variable that a template marks as searchable. */
export interface Mark extends Pick<SearchableField, 'source' | 'type' | 'name' | 'status'> {
  readonly template: { readonly id: string; readonly name: string; readonly folderId: string | null };
}

/** What the organization can find runs by, in these sources, or in all. Deleted templates are included, because their runs are kept. */
export async function findMarks(em: Em, organizationId: string, sources?: readonly string[]): Promise<Mark[]> {
  const named = sources && { source: { $in: [...sources] } };
  const fields = await em.find(SearchableField, { organizationId, status: { $ne: 'REMOVING' }, ...named });
  const ids = [...new Set(fields.map(({ templateId }) => templateId))];
  const templates = new Map(
    (await em.find(Template, { organizationId, id: { $in: ids } })).map((template) => [template.id, template]),
  );
  return fields.flatMap((field) => {
    const template = templates.get(field.templateId);
    if (!template) return [];
    const { id, name, folderId = null } = template;
    return [{ ...pick(field), template: { id, name, folderId } }];
  });
}

/** What a caller can find runs by, by the names of template and field. */
export async function findMarksInScope(em: Em, actor: Actor): Promise<Mark[]> {
  const marks = await findMarks(em, actor.organizationId);
  const ids = [...new Set(marks.map(({ template }) => template.id))];
  const inScope = await em.find(
    Template,
    { $and: [templatesInScope(actor), { id: { $in: ids } }] },
    { fields: ['id'] },
  );
  const known = new Set(inScope.map(({ id }) => id));
  const nameOf = ({ template, name, source }: Mark) => [template.name, template.id, name, source].join('\0');
  return marks
    .filter(({ template }) => known.has(template.id))
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function pick({ source, type, name, status }: SearchableField) {
  return { source, type, name, status };
}
