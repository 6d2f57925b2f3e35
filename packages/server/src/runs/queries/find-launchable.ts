import type { Subscriber } from '../../webhooks/events-of.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/** A template as a launch sees it. */
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
  select template.id, template.name, run_title_pattern as "runTitlePattern", folder_id as "folderId",
    organization.time_zone as "timeZone", archived_at is not null as "isArchived",
    published_version_id as "publishedVersionId",
    (select json_agg(json_build_object('id', id, 'events', enabled_events)) from webhooks
      where organization_id = $1 and enabled
        and (template_mode = 'ALL_FLOWS' or template.id = any(template_ids))) as subscribers
  from templates template join organizations organization on organization.id = template.organization_id
  where template.organization_id = $1 and template.id = $2 and deleted_at is null`);

/** A template and who listens to it. Null outside the organization. */
export async function findLaunchable(
  em: Em,
  organizationId: string,
  templateId: string,
): Promise<LaunchableTemplate | null> {
  return (await find(em, organizationId, templateId))[0] ?? null;
}
