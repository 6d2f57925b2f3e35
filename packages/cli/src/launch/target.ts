import { isPermissionError, type Client } from '@runward/sdk';
import { findId } from '@runward/sdk/find';
import { rejected } from '../errors.ts';
import { membersIfAllowed } from '../lookup/member.ts';
import type { LaunchRules } from './launch-body.ts';

/** The template to launch, with the checks for its launches. */
export interface Target extends LaunchRules {
  /** The server's time when the template was read, in epoch milliseconds. */
  readonly serverTime: number;
  /** How many tasks a run gets. Null if the API key cannot read templates. */
  readonly taskCount: number | null;
}

/**
 * Reads the template to launch. An API key that may only launch cannot read the data for the checks; the server then
 * does them all.
 *
 * @throws CliError if the template cannot be launched
 */
export async function readTarget(client: Client, idOrName: string, checksOwners: boolean): Promise<Target> {
  const templateId = await findId(client, 'template', idOrName);
  try {
    const { data: template, response } = await client.templates.get(templateId).withResponse();
    if (template.status === 'ARCHIVED') {
      throw rejected(`The template "${template.name}" is archived; unarchive it first.`);
    }
    if (template.publishedVersionId === null) {
      throw rejected(`The template "${template.name}" is not published. Run: runward templates publish ${templateId}`);
    }
    const { variables, tasks } = await client.templates.versions.get(templateId, template.publishedVersionId);
    const members = checksOwners ? await membersIfAllowed(client) : null;
    return { templateId, variables, members, serverTime: timeOf(response.headers), taskCount: tasks.length };
  } catch (error) {
    if (!isPermissionError(error) || error.missingScope === null) throw error;
    return { templateId, variables: null, members: null, serverTime: timeOf(error.headers), taskCount: null };
  }
}

function timeOf(headers: Headers): number {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}
