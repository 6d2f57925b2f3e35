/** Where members sign in. */
export const signInPath = '/sign-in';

/** Where members sign out. */
export const signOutPath = '/sign-out';

/** Where members find the portals that they may read. A portal is below it. */
export const portalsPath = '/p';
