import type { Endpoint, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';

/** The input of a call. */
interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** The version of the record that the change is meant for. */
  readonly ifMatch?: string;
}

/** Calls an endpoint that only sessions may call, and that the SDK therefore has no method for. */
export async function call<E extends Endpoint>(
  api: Client,
  { method, path }: E,
  { params = {}, ...sent }: CallInput = {},
): Promise<Response<E>> {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return (await api.request(method, filled, sent)) as Response<E>;
}
