import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** Revokes a form link, and returns to the page of its task. */
export async function revokeFormLink({ api, params }: ConsoleRequest): Promise<Redirect> {
  await api.runs.tasks.revokeFormLink(params['formLink'] ?? '');
  return { redirectTo: `${consolePaths.tasks}/${encodeURIComponent(params['runTaskId'] ?? '')}?notice=linkRevoked` };
}
