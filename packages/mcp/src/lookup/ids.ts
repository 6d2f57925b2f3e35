import { formats } from '@runward/contract';

/** Whether a text is the id of a record: a UUID. */
export const { isId } = formats;
