import { Router } from '@koa/router';
import { contract, type Contract, type Endpoint, type Response } from '@runward/contract';
import type Koa from 'koa';
import type { Context } from 'koa';
import { pages } from '../pages/pages.ts';
import { guard, type AnyHandler } from './guard.ts';
import { handlers } from './handlers.ts';
import type { InProcessParts } from './in-process/in-process.ts';
import { servePage } from './pages.ts';
import { deprecationHeaders } from './response/deprecation-headers.ts';

/** Handlers of endpoints about the process itself, without authentication and transaction. */
export type ProcessHandlers = {
  readonly [G in 'health' | 'openapi']: {
    readonly [N in keyof Contract[G]]: () => Promise<ResponseOf<Contract[G][N]>>;
  };
};

type ResponseOf<E> = E extends Endpoint ? Response<E> : never;

/**
 * Routes requests to their handlers, and passes others on. Routes with the same method and number of segments share a
 * router, so a request is compared with a few paths instead of all of them. `baseUrl` is where clients reach the
 * service.
 */
export function mount(routes: readonly Route[], baseUrl = ''): Koa.Middleware {
  const routers = new Map<string, Koa.Middleware>();
  for (const [kind, some] of Map.groupBy(routes, ({ endpoint }) => kindOf(endpoint))) {
    const router = new Router();
    for (const { operation, endpoint, run } of inMatchingOrder(some)) {
      const headers = endpoint.deprecated && deprecationHeaders(endpoint.deprecated, baseUrl);
      router.register(endpoint.path, [endpoint.method], (ctx) => {
        ctx.state['operation'] = operation;
        if (headers) ctx.set(headers);
        ctx.state['route'] = endpoint.path;
        return run(ctx, ctx.params);
      });
    }
    routers.set(kind, router.routes() as Koa.Middleware);
  }
  return async (ctx, next) => {
    // A trailing slash is ignored.
    const path = ctx.path.length > 1 && ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path;
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    await (routers.get(kindOf({ method, path }))?.(ctx, next) ?? next());
  };
}

function kindOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.split('/').length}`;
}

/** An endpoint or a page, and the function that responds to its requests. */
export interface Route {
  /** Its name in the log and in the metrics. */
  readonly operation: string;
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'deprecated'>;
  readonly run: (ctx: Context, params: Readonly<Record<string, string>>) => Promise<void>;
}

/**
 * The routes of the whole contract and of the pages, or without `parts` only the routes of the endpoints about the
 * process.
 */
export function routesOf(parts: InProcessParts | null, processHandlers: Partial<ProcessHandlers>): Route[] {
  const guarded =
    parts === null
      ? []
      : endpointsWith(handlers).map(([operation, endpoint, handler]) => ({
          operation,
          endpoint,
          run: guard(endpoint, handler, parts),
        }));
  const forPeople =
    parts === null
      ? []
      : Object.entries(pages).map(([name, page]) => ({
          operation: `pages.${name}`,
          endpoint: page,
          run: servePage(page, parts),
        }));
  const open = endpointsWith(processHandlers).map(([operation, endpoint, handler]) => ({
    operation,
    endpoint,
    run: async (ctx: Context) => {
      ctx.body = await (handler as unknown as () => Promise<unknown>)();
    },
  }));
  return [...guarded, ...forPeople, ...open];
}

/** Each entry of a table with the endpoint of the same name; the compiler checks that the names match. */
function endpointsWith(table: object): [operation: string, Endpoint, AnyHandler][] {
  return Object.entries(table).flatMap(([group, entries]) =>
    Object.entries(entries as Record<string, AnyHandler>).map(([name, entry]): [string, Endpoint, AnyHandler] => {
      const endpoint = (contract as unknown as Record<string, Record<string, Endpoint>>)[group]?.[name];
      if (!endpoint) throw new Error(`The contract has no endpoint ${group}.${name}.`);
      return [`${group}.${name}`, endpoint, entry];
    }),
  );
}

/** Orders fixed segments before parameters, so that /runs/counts does not match /runs/:id. */
function inMatchingOrder(all: readonly Route[]): Route[] {
  const rank = ({ endpoint }: Route) => endpoint.path.replaceAll(/:\w+/g, '~');
  return all.toSorted((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0));
}
