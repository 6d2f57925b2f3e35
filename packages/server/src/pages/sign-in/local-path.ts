import { portalsPath } from '../paths.ts';

const ofPortals = /^\/p(?:\/[a-z0-9-]{1,63}){0,2}$/;

/** The path of a page of this service to which one may be sent after signing in; of anything else, that of the portals. */
export function localPath(path: string | null): string {
  return path !== null && ofPortals.test(path) ? path : portalsPath;
}
