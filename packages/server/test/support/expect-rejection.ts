import type { ExecutionContext } from 'ava';
import type { Answer } from '@runward/testing/api';

/** Asserts that a call was refused with exactly this status and message. */
export async function refused(
  t: ExecutionContext,
  answer: Answer<unknown> | Promise<Answer<unknown>>,
  status: number,
  message: string | string[],
): Promise<void> {
  const { status: actual, error } = await answer;
  t.deepEqual({ status: actual, message: error?.message }, { status, message });
}
