import type { Measured } from '../harness/measured.ts';
import { overConnections, send } from './connections.ts';
import { fillIn, type FormJob } from './form-flow.ts';

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
  const seconds = await overConnections(steps, async ({ apiKey, ...step }, agent) => {
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
  });
  return { seconds, milliseconds };
}
