import { contract, type Endpoint } from '@runward/contract';

/** An endpoint with its name and a path in which every parameter is a random but well-formed id. */
export interface NamedEndpoint {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly path: string;
}

/** Every endpoint of the contract. */
export const allEndpoints: readonly NamedEndpoint[] = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: `${group}.${name}`,
    endpoint,
    path: endpoint.path.replaceAll(/:\w+/g, '01900000-0000-7000-8000-000000000001'),
  })),
);

/** Every endpoint of the contract behind the guard. */
export const guardedEndpoints: readonly NamedEndpoint[] = allEndpoints.filter(
  ({ endpoint }) => endpoint.access !== 'public',
);

/** Lists that are only shown with a filter, which their query does not say. */
const filtered = new Set(['files.list']);

/** Whether a call needs a query. */
export function needsQuery({ name, endpoint: { query } }: NamedEndpoint): boolean {
  return filtered.has(name) || query?.safeParse({}).success === false;
}

/** Whether an endpoint is for browsers alone: no key may call it. */
export function isSessionOnly({ access }: Endpoint): boolean {
  return access === 'session' || access === 'administrator';
}
