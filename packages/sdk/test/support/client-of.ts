import { routesOf, type Group } from '@runward/contract';
import type { ExecutionContext } from 'ava';
import { deriveClient } from '../../src/client.ts';
import type { Client, ClientOptions } from '../../src/index.ts';
import { readSettings } from '../../src/settings.ts';
import { newServer, type RespondTo } from './client.ts';
import type { Branch } from './derived-types.ts';

/** A server and a client for it, as `newClient` makes them, for the endpoints of another contract. */
export async function newClientOf<Groups extends Readonly<Record<string, Group>>>(
  t: ExecutionContext,
  groups: Groups,
  respond: RespondTo,
  options: ClientOptions = {},
) {
  const { given, timing, ...server } = await newServer(t, respond, options);
  const client = deriveClient(readSettings(given, timing), routesOf(groups));
  return { ...server, runward: client as unknown as Branch<Groups> & Pick<Client, 'request'> };
}
