import type { ApiResponse } from '@runward/testing/api';
import type { ExecutionContext } from 'ava';

/** Asserts that a call was rejected with exactly this status and message. */
export async function isRejected(
  t: ExecutionContext,
  answer: ApiResponse<unknown> | Promise<ApiResponse<unknown>>,
  status: number,
  message: string | string[],
): Promise<void> {
  const { status: actual, error } = await answer;
  t.deepEqual({ status: actual, message: error?.message }, { status, message });
}
