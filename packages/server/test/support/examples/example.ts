import type { BodyInput, Contract, Endpoint, GroupName, QueryInput } from '@runward/contract';
import type { Ids, World } from '../world/world.ts';

/** A call that succeeds in a world. */
export interface Example<E extends Endpoint = Endpoint> {
  /** Makes what the call uses up, or needs in another state; these ids take the place of the world's. */
  readonly before?: (world: World) => Promise<Partial<Ids>>;
  readonly query?: (ids: Ids) => QueryInput<E>;
  readonly body?: (ids: Ids, world: World) => BodyInput<E>;
}

/**
 * Calls that succeed, for endpoints that take more than their path or use something up. Together they name every id an
 * endpoint can be given, so that the sweeps can put other ids in those places. What a DELETE's `before` makes is gone
 * after the call.
 */
export type Examples = {
  readonly [G in GroupName]?: {
    readonly [N in keyof Contract[G]]?: Contract[G][N] extends Endpoint ? readonly Example<Contract[G][N]>[] : never;
  };
};

/** A list whose total is bounded. */
export const boundedList = { query: () => ({ total: 'bounded', limit: 10 }) as const };
