import { contract, routesOf } from '@runward/contract';
import type { GeneratedFile } from '../generated-file.ts';
import { literal } from './text.ts';

const routes = Object.entries(routesOf({ ...contract })).map(([operation, route]) => {
  const { method, path, effect, body, returns, isPublic } = route;
  const parts = [
    literal(operation),
    literal(method),
    literal(path),
    ...(effect === undefined ? [] : [`effect=${literal(effect)}`]),
    ...(body === undefined ? [] : [`body=${kindOf(body)}`]),
    ...(returns === undefined ? [] : [`returns=${kindOf(returns)}`]),
    ...(isPublic ? ['is_public=True'] : []),
  ];
  return `    ${literal(operation)}: Route(${parts.join(', ')}),`;
});

/** A word, or a tuple of words. */
function kindOf(kind: string | readonly string[]): string {
  return typeof kind === 'string' ? literal(kind) : `(${kind.map((each) => `${literal(each)},`).join(' ')})`;
}

/** The endpoints that a client can call. */
export const pythonRoutes: GeneratedFile = {
  path: 'clients/python/src/runward/generated/routes.py',
  code: `"""The endpoints that a client can call, by method of the client."""

from __future__ import annotations

from .._route import Route

ROUTES: dict[str, Route] = {
${routes.join('\n')}
}
`,
};
