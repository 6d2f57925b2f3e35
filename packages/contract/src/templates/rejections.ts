import type { ErrorCode } from '../error-codes.ts';

/** Why the draft of a template cannot be changed. */
export const draftRejections = ['template_archived', 'size_exceeded'] as const satisfies readonly ErrorCode[];
