import { Agent, request } from 'node:http';
import { connections } from '../harness/measured.ts';

/** Works on items over ten connections, one item at a time on each. Returns how many seconds it took. */
export async function overConnections<Item>(
  items: readonly Item[],
  work: (item: Item, agent: Agent) => Promise<void>,
): Promise<number> {
  const waiting = items.values();

  async function workOneAfterTheOther(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const item of waiting) await work(item, agent);
    agent.destroy();
  }

  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, workOneAfterTheOther));
  return (performance.now() - start) / 1000;
}

/** Sends a request through an agent and returns the response body. Throws on an error response. */
export function send(
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  method: 'GET' | 'POST',
  url: string,
  body?: string,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const call = request(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
    const { statusCode = 0 } = response;
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', reject);
    response.on('end', () => {
      if (statusCode >= 200 && statusCode < 300) resolve(text);
      else reject(new Error(`${method} ${url} returned ${statusCode}: ${text}`));
    });
  });
  call.on('error', reject).end(body);
  return promise;
}
