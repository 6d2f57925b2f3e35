import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import { valueOf } from '../rendered.ts';

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
