import { Agent } from 'node:http';
import { connections, type Measured } from '../harness/measured.ts';
import { send, type FormJob } from './form-flow.ts';
import { fillIn } from './run-flow.ts';

/** A request with an API key, or the form of a task to fill in step by step. */
export type Step = { readonly apiKey: string } & (
  | { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object }
  | { readonly runTaskId: string; readonly values: FormJob['values'] }
);

/** Steps of many callers, to be carried out once each. */
export interface MixedJob {
  readonly kind: 'mixed';
  readonly url: string;
  readonly steps: readonly Step[];
}

/**
 * Carries out the steps over ten connections, in their order, and measures each request. Throws on an error response.
 */
export async function carryOutSteps({ url, steps }: MixedJob): Promise<Measured> {
  const milliseconds: number[] = [];
  const waiting = steps.values();

  async function carryOutOneAfterTheOther(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const { apiKey, ...step } of waiting) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const request = async (method: 'GET' | 'POST', path: string, body?: object) => {
        const start = performance.now();
        const text = await send(agent, headers, method, url + path, body && JSON.stringify(body));
        milliseconds.push(performance.now() - start);
        return text;
      };
      const post = (path: string, body: object) => request('POST', path, body);
      if ('path' in step) await request(step.method, step.path, step.body);
      else await fillIn(post, step.runTaskId, step.values, 'single values');
    }
    agent.destroy();
  }

  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, carryOutOneAfterTheOther));
  return { seconds: (performance.now() - start) / 1000, milliseconds };
}
