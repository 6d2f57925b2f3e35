import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { RunOfClient } from './run-of-client.ts';

/** What a client does with a run it has launched. All of it is allowed, in this order. */
export type Story = (run: RunOfClient, random: Random) => Promise<void>;

const straight: Story = async (run) => {
  for (const task of ['Form', 'Check', 'File']) await run.complete(task);
};

const byForm: Story = async (run) => {
  await run.fillIn('Form');
  await run.complete('File');
  await run.complete('Check');
};

const doneAgain: Story = async (run, random) => {
  await straight(run, random);
  await run.reopen();
  await run.reopenTask('File');
  await run.complete('File');
};

const changedMind: Story = async (run) => {
  await run.cancel();
  await run.reopen();
  await run.complete('Check');
};

/** Nobody does it: the clock alone has to say so, or another change to the run. */
const late: Story = async (run, random) => {
  await run.setDue('File', random.between(1, 3));
  await run.fillIn('Form');
  await pause(random.between(0, 3_000));
  await run.complete('Check');
};

const doneLate: Story = async (run, random) => {
  await run.setDue('Check', 1);
  await pause(random.between(800, 3_000));
  await straight(run, random);
};

const inTime: Story = async (run, random) => {
  await run.setDue('Form', 40);
  await run.setDue('File', 45);
  await straight(run, random);
};

const movedDeadline: Story = async (run, random) => {
  await run.setDue('File', 1);
  await pause(1_200);
  await run.setDue('File', random.between(1, 4));
};

const lateWhileCancelled: Story = async (run) => {
  await run.setDue('File', 1);
  await run.cancel();
  await pause(1_200);
  await run.reopen();
};

/** All stories; some more than once, because they happen more often. */
export const stories: readonly [Story, ...Story[]] = [
  straight,
  straight,
  byForm,
  byForm,
  doneAgain,
  changedMind,
  late,
  late,
  doneLate,
  inTime,
  movedDeadline,
  lateWhileCancelled,
];
