import { searchableSources } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { TemplateVersion } from '../entities/template-version.ts';

/**
 * A mark that stays keeps its state. One that is new, or whose type has changed, is READY only if there are no runs.
 */
const mark = statement(`
  with marked as (
    select * from json_to_recordset($3) as marked (source text, type text, name text)
  ), any_run as (
    select from runs where organization_id = $1 and template_id = $2 limit 1
  ), removed as (
    update searchable_fields set status = 'REMOVING', due_at = now(), after_run_id = null, changed_since = null
    where organization_id = $1 and template_id = $2 and source not in (select source from marked)
  )
  insert into searchable_fields as old (organization_id, template_id, source, type, name, status, due_at)
  select $1, $2, source, type, name,
    case when exists (select from any_run) then 'INDEXING' else 'READY' end,
    case when exists (select from any_run) then now() end
  from marked
  on conflict (organization_id, template_id, source) do update set
    name = excluded.name, type = excluded.type,
    status = case when old.type = excluded.type and old.status <> 'REMOVING' then old.status else excluded.status end,
    due_at = case when old.type = excluded.type and old.status <> 'REMOVING' then old.due_at else excluded.due_at end,
    after_run_id = case when old.type = excluded.type and old.status <> 'REMOVING' then old.after_run_id end,
    changed_since = case when old.type = excluded.type and old.status <> 'REMOVING' then old.changed_since end`);

/**
 * Makes the fields and flow variables searchable that a version marks, and no others of its template. A job then reads
 * the runs that exist; see `runs/change/index-values.ts`. The caller must hold the lock `update` on the template.
 */
export async function markSearchable(
  em: Em,
  { organizationId, templateId, document }: Pick<TemplateVersion, 'organizationId' | 'templateId' | 'document'>,
): Promise<void> {
  await mark(em, organizationId, templateId, JSON.stringify(searchableSources(document)));
}
