import type { CommentContent } from '@runward/engine';
import { badRequest } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { Group } from '../../organization/entities/group.ts';
import { User } from '../../organization/entities/user.ts';

/** Who is mentioned. */
export type Mentions = Omit<CommentContent, 'text'>;

/** Throws a 400 for everyone mentioned who is not an active member or a group of the organization. */
export async function ensureMentioned(em: Em, organizationId: string, { userIds, groupIds }: Mentions): Promise<void> {
  const members =
    userIds.length === 0 ? [] : await em.find(User, { organizationId, id: { $in: [...userIds] }, status: 'ACTIVE' });
  const groups =
    groupIds.length === 0 ? [] : await em.find(Group, { organizationId, id: { $in: [...groupIds] }, deletedAt: null });
  const known = new Set([...members, ...groups].map(({ id }) => id));
  const problems = (ids: readonly string[], path: string, problem: string) =>
    ids.flatMap((id, index) => (known.has(id) ? [] : [`mentions.${path}[${index}]: ${problem}`]));
  const all = [
    ...problems(userIds, 'userIds', 'not an active member of this organization; see GET /users'),
    ...problems(groupIds, 'groupIds', 'not a group of this organization; see GET /groups'),
  ];
  if (all.length > 0) throw badRequest(all);
}
