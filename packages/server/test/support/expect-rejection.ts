import type { ErrorCode } from '@runward/contract';
import type { ApiResponse } from '@runward/testing/api';
import type { ExecutionContext } from 'ava';

/** Asserts that a call was rejected with exactly this status and message. */
export async function isRejected(
  t: ExecutionContext,
  answer: ApiResponse<unknown> | Promise<ApiResponse<unknown>>,
  status: number,
  message: string | string[],
  code?: ErrorCode,
): Promise<void> {
  const { status: actual, error } = await answer;
  t.deepEqual({ status: actual, message: error?.message }, { status, message });
  if (code !== undefined) t.is(error.code, code);
}
