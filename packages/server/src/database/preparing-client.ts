import type { Socket } from 'node:net';
import { Client, type QueryConfig } from 'pg';

/** Names of statements by their text; the same in every connection. */
const names = new Map<string, string>();

/** More than there are statements in this service; a bound in case one is ever built from its input. */
const mostNames = 1_000;

/**
 * A connection that prepares every statement with parameters the first time and then only sends the parameters: PostgreSQL parses and
 * plans it once. Statements without parameters, among them all that the ORM writes for entities, go as they are. A connection on which a
 * query got no answer in time is cut: whatever is sent on it afterwards, if only a rollback, would wait as long again.
 */
export class PreparingClient extends Client {
  constructor(...settings: ConstructorParameters<typeof Client>) {
    super(...settings);
    // A loss that no query waits for would otherwise end the process, unless the pool happens to listen at that moment.
    this.on('error', () => {});
  }

  override query: Client['query'] = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
    const query = Client.prototype.query as (...args: unknown[]) => unknown;
    const name = typeof first === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(first) : undefined;
    const answer =
      name === undefined
        ? query.call(this, first, values, ...rest)
        : query.call(this, { name, text: first, values } as QueryConfig, ...rest);
    if (answer instanceof Promise) answer.catch((error: unknown) => cutAfterTimeout(this, error));
    return answer;
  }) as Client['query'];
}

function cutAfterTimeout(client: Client, error: unknown): void {
  if (!(error instanceof Error && error.message === 'Query read timeout')) return;
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(error);
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}
