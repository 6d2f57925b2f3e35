import { once } from 'node:events';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { ClusterLocation } from './files.ts';

/** Where a PostgreSQL listens: on a Unix socket in the folder `sockets`, or without one on a TCP port of 127.0.0.1. */
export interface PostgresAddress {
  readonly sockets: string | null;
  /** The TCP port; with a socket, the number in its file name. */
  readonly port: number;
  /** Whether it listens on the TCP port although it has a socket. */
  readonly tcp?: boolean;
}

/** Names the socket file if PostgreSQL listens on no TCP port. */
const defaultPort = 5432;

/** macOS accepts 103 bytes, Linux 107. */
const maximumPathBytes = 103;

/**
 * Where the PostgreSQL of a location listens: on a socket in a folder that only its account can enter, if the path is short enough for
 * one. `port` is a TCP port that it listens on in any case.
 */
export async function addressIn({ home, account }: ClusterLocation, port?: number): Promise<PostgresAddress> {
  const sockets = join(home, 'postgres-socket');
  const number = port ?? defaultPort;
  if (Buffer.byteLength(join(sockets, `.s.PGSQL.${number}`)) > maximumPathBytes) {
    return { sockets: null, port: port ?? (await freePort()) };
  }
  await mkdir(sockets, { recursive: true });
  await chmod(sockets, 0o700);
  if (account.uid !== undefined && account.gid !== undefined) await chown(sockets, account.uid, account.gid);
  return { sockets, port: number, tcp: port !== undefined };
}

/** The PostgreSQL settings for an address. */
export function settingsOf({ sockets, port, tcp }: PostgresAddress): Record<string, string> {
  return {
    listen_addresses: sockets === null || tcp ? '127.0.0.1' : '',
    // A list of paths, so a path is quoted; it may contain a comma.
    unix_socket_directories: sockets === null ? '' : `"${sockets.replaceAll('"', '""')}"`,
    port: String(port),
  };
}

/** The connection URL of a database. */
export function urlOf({ sockets, port }: PostgresAddress, password: string, database: string): string {
  const name = encodeURIComponent(database);
  if (sockets === null) return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  return `postgres://postgres:${password}@localhost:${port}/${name}?host=${encodeURIComponent(sockets)}`;
}

/** An address as a message names it. */
export function textOf({ sockets, port, tcp }: PostgresAddress): string {
  if (sockets === null) return `127.0.0.1:${port}`;
  return tcp ? `${sockets} and 127.0.0.1:${port}` : sockets;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
