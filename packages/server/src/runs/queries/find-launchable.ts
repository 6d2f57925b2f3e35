import type { DeadlineSettings } from '../../calendar.ts';
import { shareRead } from '../../database/batch.ts';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { Template } from '../../templates/entities/template.ts';
import { selectSubscribers, type Subscriber } from '../../webhooks/queries/select-subscribers.ts';

/** A template with everything that a launch needs. */
export interface LaunchableTemplate extends DeadlineSettings {
  readonly id: string;
  readonly name: string;
  readonly runTitlePattern: string | null;
  readonly folderId: string | null;
  readonly isArchived: boolean;
  readonly publishedVersionId: string | null;
  readonly subscribers: readonly Subscriber[] | null;
}

/** The records of the organization that launches refer to. */
export interface Launchable {
  /** By id. */
  readonly templates: ReadonlyMap<string, LaunchableTemplate>;
  /** The ids of active members by their email addresses. */
  readonly owners: ReadonlyMap<string, string>;
}

interface Selected extends LaunchableTemplate {
  readonly owners: Readonly<Record<string, string>> | null;
}

const find = statement<Selected>(`
  select ${selectList(Template, 'template', ['id', 'name', 'runTitlePattern', 'folderId', 'publishedVersionId'])},
    ${selectList(Organization, 'organization', ['timeZone', 'remindBefore'])}, template.archived_at is not null as "isArchived",
    ${selectSubscribers('template.organization_id', 'template.id')} as subscribers, (
      select json_object_agg(owner.email, owner.id) from users owner
      where owner.organization_id = $1 and owner.email = any($3) and owner.status = 'ACTIVE') as owners
  from templates template join organizations organization on organization.id = template.organization_id
  where template.organization_id = $1 and template.id = any($2) and deleted_at is null`);

/** Templates with subscribers, and the owners with these email addresses. Simultaneous launches share the statement. */
export async function findLaunchable(
  em: Em,
  organizationId: string,
  { templateIds, emails }: { readonly templateIds: readonly string[]; readonly emails: readonly string[] },
): Promise<Launchable> {
  const question = ['launchable', organizationId, templateIds, emails];
  const rows = await shareRead(em, question, async () => find(em, organizationId, templateIds, emails));
  const templates = new Map(rows.map(({ owners: _, ...template }) => [template.id, template]));
  return { templates, owners: new Map(Object.entries(rows[0]?.owners ?? {})) };
}
