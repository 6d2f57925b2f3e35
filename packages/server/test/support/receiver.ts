import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A request as a receiver got it. */
export interface Received {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, or whatever a test does with the response. `count` tells how many requests came, this one included. */
export type Reply = (count: number, request: Received) => number | ((response: ServerResponse) => void);

/** An HTTP server on loopback that keeps what it is sent. */
export interface TestReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** What it got, once there are so many; fails after 30 s. */
  wait(count: number): Promise<readonly Received[]>;
}

/** Starts a receiver that answers 200, or what the test says. */
export async function startReceiver(reply: Reply = () => 200): Promise<TestReceiver> {
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url: path = '', headers } = request;
    const got = { at: Date.now(), method, path, headers, body };
    received.push(got);
    const answer = reply(received.length, got);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response);
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    wait: async (count) => {
      await until(() => received.length >= count, `${count} requests`);
      return received;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Waits until something is so; fails after 30 s, or as many as are given. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}.`);
    await pause(5);
  }
}
