import type { Socket } from 'node:net';
import { Client, DatabaseError, types, type ClientBase, type QueryConfig } from 'pg';
import { preparesStatements } from '../../settings/prepared-statements.ts';
import { failedConnection, isOutOfSpace } from '../errors.ts';

/** More than the number of statements in the service. The limit matters if a statement is ever built from input. */
const maximumNames = 1_000;

/**
 * Makes the connections of a database. Unless its URL forbids it, they prepare each statement with parameters on first
 * use and then send only the parameters, so PostgreSQL parses and plans it once. Statements without parameters, such as
 * all statements that the ORM writes for entities, are sent unchanged. A connection whose query timed out is destroyed,
 * because anything sent on it afterwards, even a rollback, would wait as long again. `onFullDisk` is called when
 * PostgreSQL reports that its disk is full.
 */
export function preparingClient(url: string, onFullDisk: () => void): typeof Client {
  const prepares = preparesStatements(url);
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maximumNames) return known;
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return class PreparingClient extends Client {
    constructor(...settings: ConstructorParameters<typeof Client>) {
      super(...settings);
      // The loss of a connection between queries would end the process, unless the pool happens to listen at that time.
      this.on('error', () => {});
      // By default these are text, because a number is exact only up to 2^53. Counts and positions stay far below that.
      this.setTypeParser(types.builtins.INT8, Number);
    }

    override query: Client['query'] = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
      const query = Client.prototype.query as (...args: unknown[]) => unknown;
      const name =
        prepares && typeof first === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(first) : undefined;
      const result =
        name === undefined
          ? query.call(this, first, values, ...rest)
          : query.call(this, { name, text: first, values } as QueryConfig, ...rest);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        destroyAfterTimeout(this, error);
        if (isOutOfSpace(error)) onFullDisk();
        // An error that comes neither from PostgreSQL nor from preparing the values comes from the connection.
        throw error instanceof DatabaseError || error instanceof TypeError ? error : failedConnection(error);
      });
    }) as Client['query'];
  };
}

function destroyAfterTimeout(client: Client, error: unknown): void {
  if (error instanceof Error && error.message === 'Query read timeout') cutConnection(client, error);
}

/** Ends a connection at once. The query in progress fails. */
export function cutConnection(client: ClientBase, error: Error): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(error);
}
