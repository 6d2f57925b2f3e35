import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.groups, administratorsOnly);
const changing = () => import('./change-group.ts');

/** The pages on which owners and admins manage groups of members. */
export const groupPages: Readonly<Record<string, Page>> = {
  consoleGroups: page('GET', '', async () => (await import('./list-groups.ts')).listGroups),
  consoleCreateGroup: page('POST', '', async () => (await import('./list-groups.ts')).createGroup),
  consoleGroup: page('GET', '/:id', async () => (await import('./show-group.ts')).showGroup),
  consoleRenameGroup: page('POST', '/:id', async () => (await changing()).renameGroup),
  consoleChangeGroupMembers: page('POST', '/:id/members', async () => (await changing()).changeGroupMembers),
  consoleGroupDeletion: page('GET', '/:id/delete', async () => (await import('./delete-group.ts')).confirmDeletion),
  consoleDeleteGroup: page('POST', '/:id/delete', async () => (await import('./delete-group.ts')).deleteGroup),
};
