import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.account);
const passkeys = () => import('./change-passkeys.ts');
const sessions = () => import('./end-sessions.ts');

/** The pages on which members change their own password and passkeys, choose their mails and end their own sessions. */
export const accountPages: Readonly<Record<string, Page>> = {
  consoleAccount: page('GET', '', async () => (await import('./show-account.ts')).showAccount),
  consoleChangePassword: page('POST', '/password', async () => (await import('./change-password.ts')).changePassword),
  consoleChangeNotifications: page(
    'POST',
    '/notifications',
    async () => (await import('./notifications.ts')).changeNotifications,
  ),
  consoleRenamePasskey: page('POST', '/passkeys/:id/rename', async () => (await passkeys()).renamePasskey),
  consoleRemovePasskey: page('POST', '/passkeys/:id/remove', async () => (await passkeys()).deletePasskey),
  consoleEndOtherSessions: page('POST', '/sessions/end-others', async () => (await sessions()).endOtherSessions),
  consoleEndSession: page('POST', '/sessions/:id/end', async () => (await sessions()).endSession),
};
