import { unsubscribePath } from '../notifications/unsubscribe-token.ts';
import { passwordLinkPath } from '../organization/password-links/link-token.ts';
import { formLinkPath } from '../runs/form-links/link-token.ts';
import { consolePages } from './console/console-pages.ts';
import { maximumFormBytes } from './console/tasks/task-pages.ts';
import { page } from './make-page.ts';
import type { Page } from './page.ts';
import {
  backChannelLogoutPath,
  forgotPasswordPath,
  portalsPath,
  resumePath,
  signInPath,
  signOutPath,
} from './paths.ts';

const showingPortal = () => import('./portal/show-portal-page.ts');
const unsubscribing = () => import('./mail/unsubscribe.ts');
const signingIn = () => import('./sign-in/sign-in.ts');
const fillingIn = () => import('./sign-in/form-link.ts');
const settingPassword = () => import('./sign-in/set-password.ts');
const forgetting = () => import('./sign-in/forgot-password.ts');

/**
 * All pages for people, by the name that the log and the metrics have for them. They are not part of the API, so the
 * contract does not list them. What renders them is loaded when the first one is requested.
 */
export const pages: Readonly<Record<string, Page>> = {
  asset: page('GET', '/assets/:file', async () => (await import('./assets.ts')).showAsset),
  ...consolePages,
  portals: page('GET', portalsPath, async () => (await import('./portal/show-portals.ts')).showPortals),
  portal: page('GET', '/p/:slug', async () => (await showingPortal()).showPortalPage, { reads: 'replica' }),
  portalPage: page('GET', '/p/:slug/:page', async () => (await showingPortal()).showPortalPage, { reads: 'replica' }),
  unsubscribe: page('GET', `${unsubscribePath}/:token`, async () => (await unsubscribing()).showUnsubscribe),
  submitUnsubscribe: page(
    'POST',
    `${unsubscribePath}/:token`,
    async () => (await unsubscribing()).submitUnsubscribe,
    // Mail programs send forms of several kinds (RFC 8058). The token alone says what is wanted.
    { maximumFormBytes: 0 },
  ),
  signIn: page('GET', signInPath, async () => (await signingIn()).showSignIn),
  submitSignIn: page('POST', signInPath, async () => (await signingIn()).submitSignIn),
  resumeSignIn: page(
    'POST',
    resumePath,
    async () => (await signingIn()).submitSignIn,
    // The largest form of the console, and the form that carries it.
    { maximumFormBytes: maximumFormBytes + 100_000 },
  ),
  formLink: page('GET', `${formLinkPath}/:token`, async () => (await fillingIn()).showFormLink),
  submitFormLink: page('POST', `${formLinkPath}/:token`, async () => (await fillingIn()).submitFormLink),
  passwordLink: page('GET', `${passwordLinkPath}/:token`, async () => (await settingPassword()).showPasswordLink),
  submitPasswordLink: page(
    'POST',
    `${passwordLinkPath}/:token`,
    async () => (await settingPassword()).submitPasswordLink,
  ),
  forgotPassword: page('GET', forgotPasswordPath, async () => (await forgetting()).showForgotPassword),
  submitForgotPassword: page('POST', forgotPasswordPath, async () => (await forgetting()).submitForgotPassword),
  beginAtProvider: page(
    'GET',
    `${signInPath}/:provider`,
    async () => (await import('./sign-in/begin-at-provider.ts')).beginAtProvider,
  ),
  returnFromProvider: page(
    'GET',
    `${signInPath}/:provider/callback`,
    async () => (await import('./sign-in/return-from-provider.ts')).returnFromProvider,
    { effect: 'write' },
  ),
  backChannelLogout: page(
    'POST',
    backChannelLogoutPath,
    async () => (await import('./sign-in/back-channel-logout.ts')).endByProvider,
  ),
  signOut: page('POST', signOutPath, async () => (await import('./sign-in/sign-out.ts')).submitSignOut),
};
