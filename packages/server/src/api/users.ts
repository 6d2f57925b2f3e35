import type { Contract } from '@runward/contract';
import { User } from '../db/entities/user.ts';
import type { Handlers } from './handler.ts';
import { decodeCursor, pageOf } from './paging.ts';

/** Members of the organization (spec: Users). */
export const users: Handlers<Contract['users']> = {
  list: async ({ em, actor: { organizationId }, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const total = await em.count(User, { organizationId });
    const rows = await em.find(
      User,
      {
        organizationId,
        ...(after && { $or: [{ name: { $gt: after[0] } }, { name: after[0], id: { $gt: after[1] } }] }),
      },
      { orderBy: { name: 'asc', id: 'asc' }, limit: limit + 1 },
    );
    return pageOf(
      rows,
      limit,
      total,
      ({ id, email, name, role, status, createdAt }) => ({
        id,
        email,
        name,
        role,
        status,
        createdAt: createdAt.toISOString(),
      }),
      ({ name, id }) => [name, id],
    );
  },
};
