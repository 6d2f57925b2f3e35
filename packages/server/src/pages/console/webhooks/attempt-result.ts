import type { DeliveryAttempt } from '@runward/sdk';

/** What came of an attempt: the status of the response, and what else was wrong. */
export function attemptResult({ statusCode, error }: DeliveryAttempt): string {
  return [statusCode, error].filter((part) => part !== null).join(': ');
}
