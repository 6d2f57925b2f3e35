import { isPermissionError, type Client, type Run } from '@runward/sdk';
import { findId, findRunId } from '@runward/sdk/find';
import type { ToolContext } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

/**
 * The id of a record by its id or by what people call it. Only an id needs no scope.
 *
 * @throws FindError if none or several fit; ToolError if the key cannot look names up
 */
export async function findRecordId(
  { client }: ToolContext,
  kind: 'group' | 'member' | 'template',
  text: string,
): Promise<string> {
  try {
    return await findId(client, kind, text);
  } catch (error) {
    if (!isPermissionError(error) || error.missingScope === null) throw error;
    throw new ToolError(
      `The API key lacks the scope ${error.missingScope}, so "${text}" cannot be looked up. Use the id of the ${kind}.`,
    );
  }
}

/**
 * A run by its id, its public id, a part of its id or its title.
 *
 * @throws FindError if none or several fit
 */
export async function findRun(client: Client, text: string): Promise<Run> {
  return client.runs.get(await findRunId(client, text));
}
