import { text as readText } from 'node:stream/consumers';
import type { z } from 'zod';
import { ApiError } from '../api-error.ts';
import { commandError, usageError } from './command-error.ts';
import type { Io } from './io.ts';

/**
 * Parses a value with a schema of the contract, as the API does. Throws a usage error with one line per problem.
 * `options` has the command-line option of each property.
 */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  options: Readonly<Record<string, string>>,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw usageError(...result.error.issues.map((issue) => `${options[String(issue.path[0])] ?? ''}: ${wording(issue)}`));
}

/** Converts an ApiError to a command error that names options instead of properties. Returns other errors unchanged. */
export function asCommandError(error: unknown, options: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const messages = [error.messages].flat();
  return commandError(...messages.map((message) => message.replace(/^\w+(?=[:[])/, (name) => options[name] ?? name)));
}

function wording(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : issue.message;
}

/** Parses a comma-separated list. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Reads a password from the first line of standard input. Throws a usage error if standard input is a terminal. */
export async function readPassword(stdin: Io['stdin']): Promise<string> {
  if (stdin.isTTY) throw usageError('--password-stdin: pipe the password to standard input');
  const [line = ''] = (await readText(stdin)).split(/\r?\n/);
  // The API rejects such a password at sign-in.
  if (line.includes('\0')) throw usageError('--password-stdin: must not contain the NUL character');
  return line;
}
