import type { z } from 'zod';
import { email, id, localDate, timestamp, webUrl } from './values.ts';

const accepts = (schema: z.ZodType) => (text: string) => schema.safeParse(text).success;

/** Formats of text that does not come from a request body: form fields, cursors, command lines. */
export const formats = {
  isId: accepts(id),
  isEmail: accepts(email),
  isWebUrl: accepts(webUrl),
  isDate: accepts(localDate),
  isTimestamp: accepts(timestamp),
  /** A timestamp in UTC with milliseconds; null if the text is none. */
  utc: (text: string) => timestamp.safeParse(text).data ?? null,
};
