import { selectList } from '../../database/columns.ts';
import { selectSubscribers, type Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { Template } from '../../templates/entities/template.ts';

/** A template with what a launch needs. */
export interface LaunchableTemplate {
  readonly id: string;
  readonly name: string;
  readonly runTitlePattern: string | null;
  readonly folderId: string | null;
  /** Of the organization. */
  readonly timeZone: string;
  readonly isArchived: boolean;
  readonly publishedVersionId: string | null;
  readonly subscribers: readonly Subscriber[] | null;
}

const find = statement<LaunchableTemplate>(`
  select ${selectList(Template, 'template', ['id', 'name', 'runTitlePattern', 'folderId', 'publishedVersionId'])},
    ${selectList(Organization, 'organization', ['timeZone'])}, template.archived_at is not null as "isArchived",
    ${selectSubscribers('template.organization_id', 'template.id')} as subscribers
  from templates template join organizations organization on organization.id = template.organization_id
  where template.organization_id = $1 and template.id = $2 and deleted_at is null`);

/** A template and its subscribers. Null if the organization has no such template. */
export async function findLaunchable(
  em: Em,
  organizationId: string,
  templateId: string,
): Promise<LaunchableTemplate | null> {
  return (await find(em, organizationId, templateId))[0] ?? null;
}
