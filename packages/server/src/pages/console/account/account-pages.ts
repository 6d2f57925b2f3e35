import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which members change their own password, choose their mails and end their own sessions. */
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
