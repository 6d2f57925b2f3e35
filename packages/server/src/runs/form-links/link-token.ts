/** Where people fill in a form with a link; the token is behind it. */
export const formLinkPath = '/sign-in/form';

/** How the tokens of these links begin. */
export const formLinkPrefix = 'formlink_';
