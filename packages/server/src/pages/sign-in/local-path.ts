import { consolePaths } from '../paths.ts';

const ofPortals = /^\/p(?:\/[a-z0-9-]{1,63}){0,2}$/;
const ofConsole = /^\/console(?:\/[\w-]{1,63}){0,5}(?:\?[\w=&%.,:+~*-]{0,2000})?$/;

/**
 * The path of a page of this service to which one may be sent after signing in. For anything else, that of the console.
 */
export function localPath(path: string | null): string {
  return path !== null && (ofPortals.test(path) || ofConsole.test(path)) ? path : consolePaths.home;
}
