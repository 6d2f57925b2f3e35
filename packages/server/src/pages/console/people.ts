import { isNotFound, type User } from '@runward/sdk';
import type { ConsoleRequest } from './console-page.ts';

type Api = ConsoleRequest['api'];

/** The most members and groups whose names are loaded. */
const maximum = 1_000;

/** The members of the organization. */
export interface Members {
  readonly active: readonly User[];
  /** The name of a member, also of one who has left. */
  nameOf(userId: string): string;
}

/** Loads the members of the organization, at most 1,000. */
export async function loadMembers(api: Api): Promise<Members> {
  const all = await api.users.list({ status: 'ALL' }).toArray({ limit: maximum });
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return {
    active: all.filter(({ status }) => status === 'ACTIVE'),
    nameOf: (userId) => names.get(userId) ?? 'Unknown member',
  };
}

/** Who is responsible for a task, by name. */
export type AssigneeName = (task: {
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
}) => string;

/** Makes a function that names assignees. */
export async function loadAssigneeNames(api: Api, { nameOf }: Members): Promise<AssigneeName> {
  const groups = await api.groups.list().toArray({ limit: maximum });
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  return ({ assigneeId, assigneeGroupId }) => {
    if (assigneeId !== null) return nameOf(assigneeId);
    return assigneeGroupId === null ? 'No one' : (names.get(assigneeGroupId) ?? 'Unknown group');
  };
}

/** What a call returns; null if there is no such record any more. */
export async function ifExists<Data>(call: Promise<Data>): Promise<Data | null> {
  return call.catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
}
