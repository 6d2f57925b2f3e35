import { unsubscribePath } from '../notifications/unsubscribe-token.ts';
import { passwordLinkPath } from '../organization/password-links/link-token.ts';
import { formLinkPath } from '../runs/form-links/link-token.ts';
import { consolePages } from './console/console-pages.ts';
import type { Page } from './page.ts';
import {
  backChannelLogoutPath,
  forgotPasswordPath,
  portalsPath,
  resumePath,
  signInPath,
  signOutPath,
} from './paths.ts';

/**
 * All pages for people, by the name that the log and the metrics have for them. They are not part of the API, so the
 * contract does not list them. What renders them is loaded when the first one is requested.
 */
export const pages: Readonly<Record<string, Page>> = {
  asset: {
    method: 'GET',
    path: '/assets/:file',
    show: async (request) => (await import('./assets.ts')).showAsset(request),
  },
  ...consolePages,
  portals: {
    method: 'GET',
    path: portalsPath,
    show: async (request) => (await import('./portal/show-portals.ts')).showPortals(request),
  },
  portal: {
    method: 'GET',
    path: '/p/:slug',
    reads: 'replica',
    show: async (request) => (await import('./portal/show-portal-page.ts')).showPortalPage(request),
  },
  portalPage: {
    method: 'GET',
    path: '/p/:slug/:page',
    reads: 'replica',
    show: async (request) => (await import('./portal/show-portal-page.ts')).showPortalPage(request),
  },
  unsubscribe: {
    method: 'GET',
    path: `${unsubscribePath}/:token`,
    show: async (request) => (await import('./mail/unsubscribe.ts')).showUnsubscribe(request),
  },
  submitUnsubscribe: {
    method: 'POST',
    path: `${unsubscribePath}/:token`,
    // Mail programs send forms of several kinds (RFC 8058). The token alone says what is wanted.
    maximumFormBytes: 0,
    show: async (request) => (await import('./mail/unsubscribe.ts')).submitUnsubscribe(request),
  },
  signIn: {
    method: 'GET',
    path: signInPath,
    show: async (request) => (await import('./sign-in/sign-in.ts')).showSignIn(request),
  },
  submitSignIn: {
    method: 'POST',
    path: signInPath,
    show: async (request) => (await import('./sign-in/sign-in.ts')).submitSignIn(request),
  },
  resumeSignIn: {
    method: 'POST',
    path: resumePath,
    // The largest form of the console, and the form that carries it.
    maximumFormBytes: 1_100_000,
    show: async (request) => (await import('./sign-in/sign-in.ts')).submitSignIn(request),
  },
  formLink: {
    method: 'GET',
    path: `${formLinkPath}/:token`,
    show: async (request) => (await import('./sign-in/form-link.ts')).showFormLink(request),
  },
  submitFormLink: {
    method: 'POST',
    path: `${formLinkPath}/:token`,
    show: async (request) => (await import('./sign-in/form-link.ts')).submitFormLink(request),
  },
  passwordLink: {
    method: 'GET',
    path: `${passwordLinkPath}/:token`,
    show: async (request) => (await import('./sign-in/set-password.ts')).showPasswordLink(request),
  },
  submitPasswordLink: {
    method: 'POST',
    path: `${passwordLinkPath}/:token`,
    show: async (request) => (await import('./sign-in/set-password.ts')).submitPasswordLink(request),
  },
  forgotPassword: {
    method: 'GET',
    path: forgotPasswordPath,
    show: async (request) => (await import('./sign-in/forgot-password.ts')).showForgotPassword(request),
  },
  submitForgotPassword: {
    method: 'POST',
    path: forgotPasswordPath,
    show: async (request) => (await import('./sign-in/forgot-password.ts')).submitForgotPassword(request),
  },
  beginAtProvider: {
    method: 'GET',
    path: `${signInPath}/:provider`,
    show: async (request) => (await import('./sign-in/begin-at-provider.ts')).beginAtProvider(request),
  },
  returnFromProvider: {
    method: 'GET',
    path: `${signInPath}/:provider/callback`,
    effect: 'write',
    show: async (request) => (await import('./sign-in/return-from-provider.ts')).returnFromProvider(request),
  },
  backChannelLogout: {
    method: 'POST',
    path: backChannelLogoutPath,
    show: async (request) => (await import('./sign-in/back-channel-logout.ts')).endByProvider(request),
  },
  signOut: {
    method: 'POST',
    path: signOutPath,
    show: async (request) => (await import('./sign-in/sign-out.ts')).submitSignOut(request),
  },
};
