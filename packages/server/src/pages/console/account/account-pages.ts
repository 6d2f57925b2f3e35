import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which members change their own password and passkeys, choose their mails and end their own sessions. */
export const accountPages: Readonly<Record<string, Page>> = {
  consoleAccount: lazyPage('GET', consolePaths.account, async () => (await import('./show-account.ts')).showAccount),
  consoleChangePassword: lazyPage(
    'POST',
    `${consolePaths.account}/password`,
    async () => (await import('./change-password.ts')).changePassword,
  ),
  consoleChangeNotifications: lazyPage(
    'POST',
    `${consolePaths.account}/notifications`,
    async () => (await import('./notifications.ts')).changeNotifications,
  ),
  consoleRenamePasskey: lazyPage(
    'POST',
    `${consolePaths.account}/passkeys/:id/rename`,
    async () => (await import('./change-passkeys.ts')).renamePasskey,
  ),
  consoleRemovePasskey: lazyPage(
    'POST',
    `${consolePaths.account}/passkeys/:id/remove`,
    async () => (await import('./change-passkeys.ts')).deletePasskey,
  ),
  consoleEndOtherSessions: lazyPage(
    'POST',
    `${consolePaths.account}/sessions/end-others`,
    async () => (await import('./end-sessions.ts')).endOtherSessions,
  ),
  consoleEndSession: lazyPage(
    'POST',
    `${consolePaths.account}/sessions/:id/end`,
    async () => (await import('./end-sessions.ts')).endSession,
  ),
};
