import type { Run, RunTask } from '@runward/sdk';
import { visibleFields, type Form } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { printable } from '../output/printable.ts';
import { styled } from '../terminal/colors.ts';

/** Prints what the task is about and how to answer, before the first question. */
export function printHeader({ io, warn }: Cli, run: Run, form: Form): void {
  const { task, description } = form;
  const questions = visibleFields(form);
  const lines = [
    ...(description === null ? [] : description.trim().split('\n')),
    `${run.publicId} "${run.title}"`,
    '',
    ...(questions.some(({ required }) => required) ? ['* means that a value is required.'] : []),
    'Enter keeps what is shown. Escape goes back, Ctrl-C saves and stops.',
  ];
  io.stderr.write(`${styled('bold', printable(task.title), io.stderr, io.env)}\n`);
  for (const line of lines) warn(line);
}

/** A command line for a task. It names the task in a way that fits no other task of the run. */
export function commandFor(
  verb: 'complete' | 'fill' | 'reopen',
  { publicId, tasks }: Run,
  { runTaskId, title }: RunTask,
): string {
  const isPlain =
    /^[\p{L}\p{N}][\p{L}\p{N} .,()-]*$/u.test(title) && tasks.filter((other) => other.title === title).length === 1;
  return `runward tasks ${verb} ${publicId} ${isPlain ? `"${title}"` : runTaskId}`;
}
