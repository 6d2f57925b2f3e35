import type { Ids, World } from '../world/world.ts';

/** The fields of a form besides the CSRF token. */
export type Fields = Readonly<Record<string, string>>;

/** What the sweeps over the pages of the console know about one of them. */
export interface Sample {
  /** Whether owners and admins alone may open it. Default: every member may. */
  readonly isForAdministrators?: boolean;
  /** A query that names every id that the page reads from there. */
  readonly query?: (ids: Ids) => Fields;
  /** A form that changes something. Every POST has one. */
  readonly fields?: (ids: Ids, world: Pick<World, 'api' | 'session' | 'org'>) => Fields | Promise<Fields>;
  /** Makes what the form uses up; these ids take the place of the world's. */
  readonly before?: (world: World) => Promise<Partial<Ids>>;
}

/** For pages that owners and admins alone may open. */
export const administrators = { isForAdministrators: true };
/** For forms with nothing but a button. */
export const noFields = () => ({});
