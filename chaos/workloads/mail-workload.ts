import { completeAll, type Workload } from './workload.ts';

const assignAndLeave: Workload = async (run, random) => {
  await run.assign('Check');
  if (random.next() < 0.5) await run.comment();
};

/** What the member was notified of is over, or somebody else's, when the mail is written. */
const assignAgain: Workload = async (run) => {
  await run.assign('Form');
  await run.assign('Form');
  await run.assign('File');
  await run.complete('File');
  await run.comment('delete');
};

/** The deadlines are so far away that they have reminders, which are due during the run. */
const remind: Workload = async (run, random) => {
  await run.assign('File');
  await run.setDue('File', random.between(78, 88));
  if (random.next() < 0.3) await run.setDue('File', random.between(78, 90));
  if (random.next() < 0.3) await run.complete('Check');
};

const completeBeforeReminder: Workload = async (run, random) => {
  await run.setDue('File', random.between(76, 80));
  await run.assign('Check');
  await run.setDue('Check', random.between(76, 80));
  await completeAll(run, random);
};

const awaitApproval: Workload = async (run, random) => {
  await run.requestApproval();
  if (random.next() < 0.5) await run.setDue('Pay', random.between(78, 88));
};

const missAssigned: Workload = async (run, random) => {
  await run.assign('Check');
  await run.setDue('Check', random.between(1, 3));
};

const mention: Workload = async (run) => {
  for (let count = 0; count < 4; count += 1) await run.comment();
  await run.comment('delete');
};

/** What a client does with runs of which members are notified. They do nothing, so that much of it stays to be done. */
export const mailWorkloads: readonly [Workload, ...Workload[]] = [
  assignAndLeave,
  assignAndLeave,
  assignAgain,
  assignAgain,
  mention,
  mention,
  remind,
  remind,
  remind,
  completeBeforeReminder,
  awaitApproval,
  awaitApproval,
  missAssigned,
];
