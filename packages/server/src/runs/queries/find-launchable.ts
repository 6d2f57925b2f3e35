import { selectList } from '../../database/columns.ts';
import type { KeyCheck } from '../../access/key-check.ts';
import { selectUsableKey } from '../../organization/queries/find-api-key.ts';
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

const find = statement<LaunchableTemplate & { readonly usableKey: string | null }>(`
  select ${selectList(Template, 'template', ['id', 'name', 'runTitlePattern', 'folderId', 'publishedVersionId'])},
    ${selectList(Organization, 'organization', ['timeZone'])}, template.archived_at is not null as "isArchived",
    ${selectSubscribers('template.organization_id', 'template.id')} as subscribers, ${selectUsableKey('$3')} as "usableKey"
  from templates template join organizations organization on organization.id = template.organization_id
  where template.organization_id = $1 and template.id = $2 and deleted_at is null`);

/** A template and its subscribers. Null if the organization has no such template. Otherwise confirms the key of the request. */
export async function findLaunchable(
  em: Em,
  organizationId: string,
  templateId: string,
  keyCheck: KeyCheck,
): Promise<LaunchableTemplate | null> {
  const [template] = await find(em, organizationId, templateId, keyCheck.hash);
  if (!template) return null;
  keyCheck.confirm(template.usableKey);
  return template;
}
