import type { Scope } from '@runward/contract';
import type { ToolContext } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Ensures that the key can look up a record by a text. `kind` is what errors call the record.
 *
 * @throws ToolError if it lacks the scope
 */
export function ensureLookup({ scopes }: Pick<ToolContext, 'scopes'>, scope: Scope, kind: string, text: string): void {
  if (scopes.has(scope)) return;
  throw new ToolError(
    `The API key lacks the scope ${scope}, so "${text}" cannot be looked up. Use the id of the ${kind}.`,
  );
}
