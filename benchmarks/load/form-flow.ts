import { Agent, request } from 'node:http';
import { contract } from '@runward/contract';
import { connections, type Measured } from '../harness/measured.ts';

/** Forms to fill in, one flow each: open, submit every value, complete. */
export interface FormJob {
  readonly kind: 'forms';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One task per flow. Its form must not have been opened. */
  readonly runTaskIds: readonly string[];
  readonly values: readonly { readonly runTaskFieldId: string; readonly value: unknown }[];
}

const { open, submit, complete } = contract.execution;

/** Fills in forms over ten connections, one flow at a time on each. Throws on an error response. */
export async function fillForms({ url, headers, runTaskIds, values }: FormJob): Promise<Measured> {
  const milliseconds: number[] = [];
  const waiting = runTaskIds.values();

  async function fillOneAfterTheOther(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (path: string, body: object) => send(agent, headers, 'POST', url + path, JSON.stringify(body));
    for (const runTaskId of waiting) {
      const start = performance.now();
      const { id: executionEntryId } = JSON.parse(await post(open.path, { runTaskId })) as { id: string };
      for (const value of values) await post(submit.path, { executionEntryId, ...value });
      await post(complete.path, { executionEntryId });
      milliseconds.push(performance.now() - start);
    }
    agent.destroy();
  }

  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, fillOneAfterTheOther));
  return { seconds: (performance.now() - start) / 1000, milliseconds };
}

/** Sends a request through an agent and returns the response body. Throws on an error response. */
export function send(
  agent: Agent,
  headers: FormJob['headers'],
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
