import type { Socket } from 'node:net';
import { Client, DatabaseError, types, type ClientBase, type QueryConfig, type Submittable } from 'pg';
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
 *
 * The driver gets a callback and no time limit. It would make promises and limits with functions that V8 allocates in
 * the old generation, where they keep the objects of a request longer (decision 0111).
 */
export function preparingClient(url: string, onFullDisk: () => void): typeof Client {
  const prepares = preparesStatements(url);
  const names = new Map<string, string>();
  const nameOf = (text: string, values: unknown) => {
    if (!prepares || !Array.isArray(values) || values.length === 0) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= maximumNames) return known;
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return class PreparingClient extends Client {
    readonly #longestMs: number;

    constructor(...settings: ConstructorParameters<typeof Client>) {
      super(...settings);
      const { connectionParameters } = this as unknown as { connectionParameters: { query_timeout: unknown } };
      this.#longestMs = Number(connectionParameters.query_timeout);
      connectionParameters.query_timeout = 0;
      // The loss of a connection between queries would end the process, unless the pool happens to listen at that time.
      this.on('error', () => {});
      // By default these are text, because a number is exact only up to 2^53. Counts and positions stay far below that.
      this.setTypeParser(types.builtins.INT8, Number);
    }

    override query: Client['query'] = ((first: string | QueryConfig | Submittable, ...rest: unknown[]) => {
      const query = Client.prototype.query as (...args: unknown[]) => unknown;
      if (typeof first === 'object' && 'submit' in first) return query.call(this, first, ...rest);
      const [values, done] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
      const config = typeof first === 'string' ? { name: nameOf(first, values), text: first } : { ...first };
      const send = (settle: Done) => query.call(this, config, values, withinTime(this, this.#longestMs, settle));
      if (done) return send(done as Done);
      return new Promise((resolve, reject) => {
        send((error, result) => {
          if (!error) return resolve(result);
          if (isOutOfSpace(error)) onFullDisk();
          // An error that comes neither from PostgreSQL nor from preparing the values comes from the connection.
          reject(error instanceof DatabaseError || error instanceof TypeError ? error : failedConnection(error));
        });
      });
    }) as Client['query'];
  };
}

/** Gets the error or the result of a query. */
type Done = (error: Error | null, result?: unknown) => void;

/**
 * Cuts the connection if its query takes longer than `ms`, and the query fails with the connection; 0 means no limit.
 */
function withinTime(client: Client, ms: number, done: Done): Done {
  if (ms === 0) return done;
  const timer = setTimeout(() => cutConnection(client, new Error('Query read timeout')), ms);
  return (error, result) => {
    clearTimeout(timer);
    done(error, result);
  };
}

/** Ends a connection at once. The query in progress fails. */
export function cutConnection(client: ClientBase, error: Error): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(error);
}
