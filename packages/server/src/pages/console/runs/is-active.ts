import type { RunStatus } from '@runward/sdk';

/** Whether work on a run goes on. Others can be reopened and archived. */
export function isActive({ status }: { readonly status: RunStatus }): boolean {
  return status === 'RUNNING' || status === 'OVERDUE';
}
