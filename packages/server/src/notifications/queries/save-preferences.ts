import {
  defaultDigestHour,
  notificationKinds,
  type NotificationChoice,
  type NotificationKind,
} from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { NotificationPreference } from '../entities/notification-preference.ts';

/** Choices of a member, by kind. */
export type Choices = Partial<Record<NotificationKind, NotificationChoice | undefined>>;

/** The choices of a member who wants no mail. */
export const never: Choices = Object.fromEntries(notificationKinds.map((kind) => [kind, 'NEVER']));

const save = statement(`
  insert into notification_preferences as own (organization_id, user_id, kinds, digest_hour)
  values ($1, $2, $3, coalesce($4, ${defaultDigestHour}))
  on conflict (organization_id, user_id) do update
  set kinds = own.kinds || excluded.kinds, digest_hour = coalesce($4, own.digest_hour)`);

/** Saves choices of a member. What is left out does not change, also if other changes are made at the same time. */
export async function savePreferences(
  em: Em,
  { organizationId, userId }: Pick<NotificationPreference, 'organizationId' | 'userId'>,
  { kinds = {}, digestHour }: { readonly kinds?: Choices | undefined; readonly digestHour?: number | undefined },
): Promise<void> {
  await save(em, organizationId, userId, JSON.stringify(kinds), digestHour ?? null);
}
