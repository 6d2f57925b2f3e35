import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

/** The address of a PostgreSQL: a Unix socket, or else a TCP port of 127.0.0.1. */
export interface PostgresAddress {
  /** The folder of its Unix socket, if it has one. */
  readonly sockets: string | null;
  /** The TCP port; with a socket, the number in its file name. */
  readonly port: number;
}

/** Names the socket file if PostgreSQL listens on no TCP port. */
const defaultPort = 5432;

/** macOS accepts 103 bytes; Linux accepts 107. */
const maximumPathBytes = 103;

const socketOf = (sockets: string, port: number) => join(sockets, `.s.PGSQL.${port}`);

/**
 * The address for the PostgreSQL with these files: a socket beside them, which only its user and root can reach, or a
 * free TCP port if the path of the socket would be too long.
 */
export async function addressIn(pgdata: string, port?: number): Promise<PostgresAddress> {
  const isShort = Buffer.byteLength(socketOf(pgdata, port ?? defaultPort)) <= maximumPathBytes;
  return isShort ? { sockets: pgdata, port: port ?? defaultPort } : { sockets: null, port: port ?? (await freePort()) };
}

/** The connection URL of a database. */
export function urlOf({ sockets, port }: PostgresAddress, password: string, database: string): string {
  const name = encodeURIComponent(database);
  if (sockets === null) return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  return `postgres://postgres:${password}@localhost:${port}/${name}?host=${encodeURIComponent(sockets)}`;
}

/** Whether a server listens at an address. */
export async function isListening({ sockets, port }: PostgresAddress): Promise<boolean> {
  const socket = connect(sockets === null ? { host: '127.0.0.1', port } : { path: socketOf(sockets, port) });
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
