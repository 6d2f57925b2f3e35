import { isPermissionError, type Client, type Run } from '@runward/sdk';
import { findId, findRunId } from '@runward/sdk/find';
import { ToolError } from '../tool-error.ts';
import type { ToolContext } from '../tool.ts';

/**
 * The id of a record, given its id or its name. An id needs no scope.
 *
 * @throws FindError if none or several fit; ToolError if the key cannot look names up
 */
export async function findRecordId(
  { client }: ToolContext,
  kind: 'group' | 'member' | 'template',
  text: string,
): Promise<string> {
  return lookedUp(findId(client, kind, text), kind, text);
}

/**
 * Waits for a lookup by text.
 *
 * @throws ToolError if the key lacks the scope for it; any other error of the lookup
 */
export async function lookedUp<Result>(lookup: Promise<Result>, noun: string, text: string): Promise<Result> {
  try {
    return await lookup;
  } catch (error) {
    if (!isPermissionError(error) || error.missingScope === null) throw error;
    throw new ToolError(
      `The API key lacks the scope ${error.missingScope}, so "${text}" cannot be looked up. Use the id of the ${noun}.`,
    );
  }
}

/**
 * Finds a run by its id, its public id, a part of its id, or its title.
 *
 * @throws FindError if none or several fit
 */
export async function findRun(client: Client, text: string): Promise<Run> {
  return client.runs.get(await findRunId(client, text));
}
