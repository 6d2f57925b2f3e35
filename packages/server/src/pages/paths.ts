/** Where members sign in. */
export const signInPath = '/sign-in';

/** Where members sign in whose session ended before they sent a form. */
export const resumePath = `${signInPath}/resume` as const;

/** Where members ask for a link to set a new password. */
export const forgotPasswordPath = `${signInPath}/forgot-password` as const;

/** Where members begin to sign in with a provider. */
export const providerPath = (slug: string) => `${signInPath}/${slug}`;

/** Where a provider sends browsers back to. */
export const callbackPath = (slug: string) => `${providerPath(slug)}/callback`;

/** Where a provider says that it has ended a session (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelLogoutPath = '/auth/oidc/:provider/back-channel-logout';

/** Where members sign out. */
export const signOutPath = '/sign-out';

/** Where members work. */
export const consolePaths = {
  home: '/console',
  tasks: '/console/tasks',
  runs: '/console/runs',
  comments: '/console/comments',
  launch: '/console/launch',
  search: '/console/search',
  account: '/console/account',
  organization: '/console/organization',
  members: '/console/members',
  groups: '/console/groups',
  grants: '/console/grants',
  folders: '/console/folders',
  keys: '/console/keys',
  webhooks: '/console/webhooks',
  mails: '/console/mails',
  auditLog: '/console/audit-log',
  secret: '/console/secret',
  files: '/console/tasks/files',
} as const;

/** Where members find the portals that they may read. A portal is below it. */
export const portalsPath = '/p';
