import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import { ApiError } from '../api-error.ts';
import { valueOf } from '../rendered.ts';
import { codesOf } from './codes-of.ts';

/** Reports the result of a handler if it does not match its contract. */
export function checkResponse(
  { method, path, response }: Endpoint,
  result: unknown,
  onMismatch: (mismatch: Error) => void,
): void {
  const problem = problemOf(response, result);
  if (problem !== null)
    onMismatch(new Error(`The response of ${method} ${path} does not match its contract: ${problem}`));
}

function problemOf(response: Endpoint['response'], result: unknown): string | null {
  if (!response) return result === undefined ? null : 'a 204 has no body';
  if (!isStream(response)) return response.safeParse(valueOf(result)).error?.message ?? null;
  const { contentType } = result as StreamedFile;
  const isAccepted = response.contentTypes.some((accepted) => accepted === '*/*' || accepted === contentType);
  return isAccepted ? null : `the content type ${contentType}`;
}

/** The same function, which also reports its error if the contract does not name the code. */
export function withCheckedErrors<Arguments extends unknown[]>(
  endpoint: Endpoint,
  run: (...given: Arguments) => Promise<void>,
  onMismatch: (mismatch: Error) => void,
): (...given: Arguments) => Promise<void> {
  const codes = codesOf(endpoint);
  return async (...given) => {
    try {
      await run(...given);
    } catch (error) {
      if (error instanceof ApiError && !codes.has(error.code)) {
        const { method, path } = endpoint;
        onMismatch(new Error(`The errors of ${method} ${path} in the contract lack ${error.code}.`, { cause: error }));
      }
      throw error;
    }
  };
}
