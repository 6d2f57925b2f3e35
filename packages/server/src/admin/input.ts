import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { ApiError } from '../api-error.ts';
import { refused, usage } from './command-error.ts';

/**
 * Holds what was given against a schema of the contract, and answers it as the API would take it. Throws a usage error with a line for
 * each problem, naming the option of the property.
 */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  options: Readonly<Record<string, string>>,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw usage(...result.error.issues.map((issue) => `${options[String(issue.path[0])] ?? ''}: ${wording(issue)}`));
}

/** What to throw where a rule of the API says no: its messages, naming options instead of properties. */
export function inOptions(error: unknown, options: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const messages = [error.messages].flat();
  return refused(...messages.map((message) => message.replace(/^\w+(?=[:[])/, (name) => options[name] ?? name)));
}

function wording(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : issue.message;
}

/** Reads a list separated by commas. */
export function list(given: string): string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The first line of the standard input. */
export async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) throw usage('--password-stdin: pipe the password to standard input');
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  // The API does not take such a password, so that nobody could sign in with it.
  if (line.includes('\0')) throw usage('--password-stdin: must not contain the NUL character');
  return line;
}
