import type { ServerResponse } from 'node:http';
import { openServer, type Received } from './http-server.ts';
import { until } from './until.ts';

/**
 * The response of a receiver: a status, or a function that writes it. `count` is the number of requests so far,
 * including this one.
 */
export type Reply = (count: number, request: Received) => number | ((response: ServerResponse) => void);

/** A webhook receiver on loopback that keeps the requests it gets. */
export interface TestReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Waits for this many requests and resolves with all. */
  wait(count: number): Promise<readonly Received[]>;
}

/** Starts a receiver that responds with 200, or as `reply` says. */
export async function startReceiver(reply: Reply = () => 200): Promise<TestReceiver> {
  const server = await openServer((response, request, index) => {
    const result = reply(index + 1, request);
    if (typeof result === 'number') response.writeHead(result).end();
    else result(response);
  });
  const { received } = server;
  return {
    url: `${server.baseUrl}/hook`,
    received,
    wait: (count) => until(() => received.length >= count && received, `${count} requests`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
