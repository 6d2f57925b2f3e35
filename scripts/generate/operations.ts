import { contract, type Endpoint } from '@runward/contract';

/** The endpoint of an operation, like `runs.tasks.get`. */
export function endpointOf(operation: string): Endpoint {
  const dot = operation.lastIndexOf('.');
  const group = (contract as unknown as Record<string, Record<string, Endpoint>>)[operation.slice(0, dot)];
  const endpoint = group?.[operation.slice(dot + 1)];
  if (!endpoint) throw new Error(`The contract has no operation ${operation}.`);
  return endpoint;
}
