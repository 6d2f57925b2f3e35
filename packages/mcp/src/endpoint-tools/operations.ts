import {
  contract,
  effectOf,
  isBinary,
  isMultipart,
  isStream,
  type Endpoint,
  type Group,
  type Scope,
} from '@runward/contract';
import type { z } from 'zod';

/** An endpoint that a tool can call. It accepts an API key, has a JSON body or none, and returns JSON or nothing. */
export interface CallableEndpoint extends Omit<Endpoint, 'access' | 'body' | 'response'> {
  readonly access: Scope | 'authenticated';
  readonly body?: z.ZodType;
  readonly response?: z.ZodType;
}

/** An endpoint with its name in the contract, like `runs.tasks.setStatus`. */
export interface CallableOperation {
  readonly name: string;
  readonly endpoint: CallableEndpoint;
}

/** All endpoints that a tool can call, in the order of the contract. */
export const operations: readonly CallableOperation[] = Object.entries<Group>({ ...contract }).flatMap(
  ([group, members]) =>
    Object.entries(members).flatMap(([name, endpoint]) =>
      isCallable(endpoint) ? [{ name: `${group}.${name}`, endpoint }] : [],
    ),
);

/** The groups of tools: the first words of the operations. */
export const groupNames: readonly string[] = [...new Set(operations.map(({ name }) => groupOf(name)))];

/** The group of an operation. */
export function groupOf(operation: string): string {
  return operation.slice(0, operation.indexOf('.'));
}

/** The name of the tool of an operation: `runs_tasks_set_status` for `runs.tasks.setStatus`. */
export function toolName(operation: string): string {
  return operation.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether data may be lost, other than data that the client overwrites on purpose. */
export function isDestructive({ name, endpoint }: CallableOperation): boolean {
  if (effectOf(endpoint) === 'read') return false;
  const verb = name.slice(name.lastIndexOf('.') + 1);
  return endpoint.method === 'DELETE' || /cancel|delete|remove|discard|refresh|revoke|replace|restore/i.test(verb);
}

function isCallable(endpoint: Endpoint): endpoint is CallableEndpoint {
  const { access, body, response } = endpoint;
  const takesKeys = access !== 'public' && access !== 'session' && access !== 'administrator';
  // What a model reads is sent to its provider.
  const isSecret = response === contract.webhooks.secret.response;
  return takesKeys && !isSecret && !isMultipart(body) && !isBinary(body) && !isStream(response);
}
