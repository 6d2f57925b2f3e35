import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/** A saved view, as the API returns it. */
export type View = Response<Contract['savedViews']['get']>;

/**
 * A saved view by its ID or its exact name.
 *
 * @throws CliError if no view has the name, or several have it
 */
export async function findView({ savedViews }: Client, idOrName: string): Promise<View> {
  if (isId(idOrName)) return savedViews.get(idOrName);
  const views = await Array.fromAsync(savedViews.list());
  return byName(views, idOrName, { kind: 'view', list: 'runward views list' });
}
