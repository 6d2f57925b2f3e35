import { errorStatuses } from '../generated/endpoints.ts';

/** Throws if an error response in JSON has no code of the contract, or one of another status. */
export function checkErrorCode(request: string, status: number, body: unknown): void {
  if (status < 400 || typeof body !== 'object' || body === null || 'jsonrpc' in body) return;
  const code = 'code' in body ? body.code : undefined;
  if (typeof code === 'string' && errorStatuses[code as keyof typeof errorStatuses] === status) return;
  throw new Error(`The ${status} of ${request} has the code ${String(code)}, which the contract does not have for it.`);
}
