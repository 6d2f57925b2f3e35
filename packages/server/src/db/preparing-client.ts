import { Client, type QueryConfig } from 'pg';

/** Names of statements by their text; the same in every connection. */
const names = new Map<string, string>();

/** More than there are statements in this service; a bound in case one is ever built from its input. */
const mostNames = 1_000;

/**
 * A connection that prepares every statement with parameters the first time and then only sends the parameters: PostgreSQL parses and
 * plans it once. Statements without parameters, among them all that the ORM writes for entities, go as they are.
 */
export class PreparingClient extends Client {
  override query: Client['query'] = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
    const query = Client.prototype.query as (...args: unknown[]) => unknown;
    const name = typeof first === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(first) : undefined;
    return name === undefined
      ? query.call(this, first, values, ...rest)
      : query.call(this, { name, text: first, values } as QueryConfig, ...rest);
  }) as Client['query'];
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}
