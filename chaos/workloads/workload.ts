import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@runward/testing/random';
import type { ClientRun } from './client-run.ts';

/** What a client does with a run that it has launched. Every step is allowed in this order. */
export type Workload = (run: ClientRun, random: Random) => Promise<void>;

/** Completes the run. */
export const completeAll: Workload = async (run) => {
  for (const task of ['Form', 'Check', 'File']) await run.complete(task);
};

const completeByForm: Workload = async (run) => {
  await run.fillIn('Form');
  await run.complete('File');
  await run.complete('Check');
};

const discardOne: Workload = async (run, random) => {
  await run.discard('Form');
  await completeAll(run, random);
};

const completeTwice: Workload = async (run, random) => {
  await completeAll(run, random);
  await run.reopen();
  await run.reopenTask('File');
  await run.complete('File');
};

const cancelAndReopen: Workload = async (run) => {
  await run.cancel();
  await run.reopen();
  await run.complete('Check');
};

const migrate: Workload = async (run, random) => {
  await run.migrate('first');
  await run.fillIn('Form');
  await run.migrate('second');
  await pause(random.between(0, 2_000));
  await run.complete('File');
  await run.complete('Check');
};

/** The task stays open, so the scheduler, or another change of the run, must detect that it is overdue. */
const missDeadline: Workload = async (run, random) => {
  await run.setDue('File', random.between(1, 3));
  await run.fillIn('Form');
  await pause(random.between(0, 3_000));
  await run.complete('Check');
};

const completeLate: Workload = async (run, random) => {
  await run.setDue('Check', 1);
  await pause(random.between(800, 3_000));
  await completeAll(run, random);
};

const completeInTime: Workload = async (run, random) => {
  await run.setDue('Form', 40);
  await run.setDue('File', 45);
  await completeAll(run, random);
};

const moveDeadline: Workload = async (run, random) => {
  await run.setDue('File', 1);
  await pause(1_200);
  await run.setDue('File', random.between(1, 4));
};

const missDeadlineWhileCancelled: Workload = async (run) => {
  await run.setDue('File', 1);
  await run.cancel();
  await pause(1_200);
  await run.reopen();
};

const approve: Workload = async (run, random) => {
  await run.requestApproval();
  await run.approve();
  await run.completeApproved();
  await completeAll(run, random);
};

const rejectAndCorrect: Workload = async (run, random) => {
  await run.requestApproval();
  await run.reject();
  await run.correct();
  await run.approve();
  await run.completeApproved();
  await completeByForm(run, random);
};

const changeAfterGrant: Workload = async (run) => {
  await run.requestApproval();
  await run.correct();
  await run.approve();
  await run.correct();
  await run.approve();
  await run.completeApproved();
};

const discardAfterGrant: Workload = async (run) => {
  await run.requestApproval();
  await run.approve();
  await run.discardApproval();
  await run.requestApproval();
  await run.cancel();
  await run.reopen();
  await run.approve();
  await run.completeApproved();
};

const approveWhileMigrating: Workload = async (run, random) => {
  await run.requestApproval();
  await run.migrate('first');
  await run.approve();
  await run.migrate('second');
  await run.completeApproved();
  await completeAll(run, random);
};

/** The run ends although its optional task waits for the approval. */
const neverApprove: Workload = async (run, random) => {
  await run.requestApproval();
  await completeAll(run, random);
};

const attach: Workload = async (run, random) => {
  await run.openAttachments();
  await run.uploadDirectly();
  await run.download();
  await run.uploadByUrl();
  await run.deleteFile();
  await run.completeAttachments();
  await completeAll(run, random);
};

const attachMany: Workload = async (run) => {
  await run.openAttachments();
  await run.uploadByUrl();
  await run.uploadByUrl();
  await run.deleteFile();
  await run.uploadDirectly();
  await run.abandonUpload();
  await run.download();
  await run.deleteFile();
};

/** The virus may be found after the form, or the run, was completed. */
const attachInfected: Workload = async (run, random) => {
  await run.openAttachments();
  await run.uploadByUrl();
  await run.uploadInfected();
  await run.completeAttachments();
  await completeAll(run, random);
  await run.download();
};

const attachAndCancel: Workload = async (run) => {
  await run.openAttachments();
  await run.uploadDirectly();
  await run.uploadInfected();
  await run.cancel();
  await run.download();
};

/** All workloads. Frequent ones are listed several times. */
export const workloads: readonly [Workload, ...Workload[]] = [
  completeAll,
  completeAll,
  completeByForm,
  completeByForm,
  discardOne,
  completeTwice,
  cancelAndReopen,
  migrate,
  migrate,
  missDeadline,
  missDeadline,
  completeLate,
  completeInTime,
  moveDeadline,
  missDeadlineWhileCancelled,
  approve,
  approve,
  rejectAndCorrect,
  rejectAndCorrect,
  changeAfterGrant,
  changeAfterGrant,
  discardAfterGrant,
  approveWhileMigrating,
  neverApprove,
  attach,
  attach,
  attach,
  attachMany,
  attachMany,
  attachMany,
  attachInfected,
  attachInfected,
  attachAndCancel,
];
