/** Where members set their password with a link; the token is behind it. */
export const passwordLinkPath = '/sign-in/password';

/** How long a link works. */
export const linkHours = 72;

/** How the tokens of these links begin. */
export const linkPrefix = 'pwlink_';
