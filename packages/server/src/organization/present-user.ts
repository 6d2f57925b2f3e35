import type { Contract, Response } from '@runward/contract';
import type { User } from './entities/user.ts';

/** A member without the password hash. */
export function presentUser(user: User): Response<Contract['users']['list']>['data'][number] {
  const { id, email, name, role, resourceMode, status, createdAt } = user;
  return { id, email, name, role, resourceMode, status, createdAt: createdAt.toISOString() };
}
