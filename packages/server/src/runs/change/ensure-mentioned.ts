import type { CommentContent } from '@runward/engine';
import { unknownReferences, type Reference } from '../../access/ensure-assignable.ts';
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
  const references = [
    ...userIds.map((id, index): Reference => ({ kind: 'member', id, path: `mentions.userIds[${index}]` })),
    ...groupIds.map((id, index): Reference => ({ kind: 'group', id, path: `mentions.groupIds[${index}]` })),
  ];
  const problems = unknownReferences(references, known);
  if (problems.length > 0) throw badRequest(problems);
}
