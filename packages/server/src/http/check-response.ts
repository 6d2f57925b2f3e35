import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import { ApiError } from '../api-error.ts';
import { valueOf } from '../rendered.ts';
import { codesOf } from './codes-of.ts';

/** Throws if the result of a handler does not match its contract. */
export function checkResponse({ method, path, response }: Endpoint, result: unknown): void {
  const problem = problemOf(response, result);
  if (problem !== null) throw new Error(`The response of ${method} ${path} does not match its contract: ${problem}`);
}

function problemOf(response: Endpoint['response'], result: unknown): string | null {
  if (!response) return result === undefined ? null : 'a 204 has no body';
  if (!isStream(response)) return response.safeParse(valueOf(result)).error?.message ?? null;
  const { contentType } = result as StreamedFile;
  const isAccepted = response.contentTypes.some((accepted) => accepted === '*/*' || accepted === contentType);
  return isAccepted ? null : `the content type ${contentType}`;
}

/** The same function, which throws if the contract does not name the code of its error. */
export function withCheckedErrors<Arguments extends unknown[]>(
  endpoint: Endpoint,
  run: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  const codes = codesOf(endpoint);
  return async (...given) => {
    try {
      await run(...given);
    } catch (error) {
      if (!(error instanceof ApiError) || codes.has(error.code)) throw error;
      const { method, path } = endpoint;
      throw new Error(`The errors of ${method} ${path} in the contract lack ${error.code}.`, { cause: error });
    }
  };
}
