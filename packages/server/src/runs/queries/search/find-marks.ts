import type { FilterQuery } from '@mikro-orm/core';
import type { Actor } from '../../../access/actor.ts';
import { templatesInScope } from '../../../access/resource-scope/filters.ts';
import type { Em } from '../../../database/database.ts';
import { SearchableField } from '../../../templates/entities/searchable-field.ts';
import { Template } from '../../../templates/entities/template.ts';

/** A field or flow variable that a template marks as searchable. */
export interface Mark extends Pick<SearchableField, 'source' | 'type' | 'name' | 'status'> {
  readonly template: { readonly id: string; readonly name: string; readonly folderId: string | null };
}

/**
 * What the organization can find runs by, in these sources. Deleted templates are included, because their runs are
 * kept.
 */
export async function findMarks(em: Em, organizationId: string, sources: readonly string[]): Promise<Mark[]> {
  return marksOf(em, { organizationId, source: { $in: [...sources] } }, { organizationId });
}

/** What a caller can find runs by, by the names of template and field. */
export async function findMarksInScope(em: Em, actor: Actor): Promise<Mark[]> {
  const marks = await marksOf(em, { organizationId: actor.organizationId }, templatesInScope(actor));
  const nameOf = ({ template, name, source }: Mark) => [template.name, template.id, name, source].join('\0');
  return marks.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

async function marksOf(
  em: Em,
  fields: FilterQuery<SearchableField>,
  templates: FilterQuery<Template>,
): Promise<Mark[]> {
  const marked = await em.find(SearchableField, { $and: [fields, { status: { $ne: 'REMOVING' } }] });
  const ids = [...new Set(marked.map(({ templateId }) => templateId))];
  const found = await em.find(
    Template,
    { $and: [templates, { id: { $in: ids } }] },
    { fields: ['id', 'name', 'folderId'] },
  );
  const byId = new Map(found.map(({ id, name, folderId = null }) => [id, { id, name, folderId }]));
  return marked.flatMap(({ templateId, source, type, name, status }) => {
    const template = byId.get(templateId);
    return template ? [{ source, type, name, status, template }] : [];
  });
}
