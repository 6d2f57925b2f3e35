import type { Client, SavedView } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/**
 * A saved view by its ID or its exact name.
 *
 * @throws CliError if no view has the name, or several have it
 */
export async function findView({ savedViews }: Client, idOrName: string): Promise<SavedView> {
  if (isId(idOrName)) return savedViews.get(idOrName);
  const views = await Array.fromAsync(savedViews.list());
  return byName(views, idOrName, { kind: 'view', list: 'runward views list' });
}
