import { sql, type Kysely } from 'kysely';
import { anyOf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';

/** The names of templates or members by their ids. */
export async function namesOf(
  db: Kysely<Tables>,
  table: 'templates' | 'users',
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom(table)
    .where('organization_id', '=', organizationId)
    .where('id', '=', anyOf(ids))
    .select(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface TemplateTask {
  readonly templateId: string;
  readonly taskId: string;
}

/** The titles of tasks of templates, in order, from the latest version that contains each task. */
export async function titlesOf(
  db: Kysely<Tables>,
  organizationId: string,
  tasks: readonly TemplateTask[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ title: string | null }>`
    select (
      select found.title #>> '{}' from template_versions version
      cross join lateral jsonb_path_query(version.document, '$.tasks[*] ? (@.id == $id).title', jsonb_build_object('id', task.id))
        found (title)
      where version.organization_id = ${organizationId} and version.template_id = task."templateId"
      order by version.number desc limit 1
    ) as title
    from unnest(${tasks.map(({ templateId }) => templateId)}::uuid[], ${tasks.map(({ taskId }) => taskId)}::uuid[])
      with ordinality task ("templateId", id, position)
    order by task.position`.execute(db);
  return rows.map(({ title }) => title ?? '');
}
