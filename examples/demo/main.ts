/**
 * Shows Runward from end to end: `npm run demo [-- --rows N] [-- --data-dir FOLDER]`. Starts the service and a
 * receiver, each in its own process. Onboards the people in `examples/new-hires.csv`, and reconciles every event with
 * the receiver. Exits with 0 only if no event was lost and every run ended as expected. The data is kept in
 * `.runward/demo`; a second demo adds to it.
 */
import { createClient } from '@runward/sdk';
import type { Child } from '@runward/testing/child';
import { startSmtp } from '@runward/testing/mail/smtp';
import { applyTemplate } from './apply-template.ts';
import { readArguments } from './arguments.ts';
import { downloadFiles } from './attachments.ts';
import { createChecks } from './checks.ts';
import { awaitDeliveries, reconcile, registerWebhook } from './deliveries.ts';
import { awaitMails, giveWork } from './mails.ts';
import { readNewHires } from './new-hires.ts';
import { publishPortal } from './portal.ts';
import { createProgress } from './progress.ts';
import { startReceiver } from './receiver-process.ts';
import { assignScenarios, carryOut, scenarios } from './scenarios.ts';
import { addSecondMember } from './second-member.ts';
import { startServer } from './server.ts';
import { summarize, type FinishedRun } from './summary.ts';

const started = Date.now();
const secondsSoFar = () => (Date.now() - started) / 1000;
const progress = createProgress();
const checks = createChecks();
const children = new AsyncDisposableStack();

const interrupted = new Promise<'interrupted'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('interrupted'));
});

const end = await Promise.race([interrupted, onboardAll().catch(recordFailure)]);
progress.log('Stopping the service and the receiver ...');
await children.disposeAsync();
if (end === 'interrupted') {
  progress.log('Interrupted before the end.');
  process.exit(130);
}
for (const failure of checks.failures) console.error(`FAILED: ${failure}`);
if (checks.failures.length === 0) progress.log('No event was lost, and every run ended as expected.');
// Exits explicitly, because requests that wait for a failed part would keep the process alive.
process.exit(checks.failures.length === 0 ? 0 : 1);

async function onboardAll(): Promise<void> {
  const { dataDir, rows } = readArguments();
  const hires = await readNewHires(rows, new Date());

  progress.log(`Starting the service with its embedded PostgreSQL; the data is kept in ${dataDir}`);
  const smtp = children.use(await startSmtp());
  const service = await startServer(dataDir, smtp.url, stopAtEnd('service'));
  const { baseUrl, apiKey, signingSecret } = service;
  progress.log(
    `The service is ready at ${baseUrl} after ${secondsSoFar().toFixed(1)} s; the API reference is at ${baseUrl}/docs`,
  );

  const receiver = await startReceiver(dataDir, signingSecret, stopAtEnd('receiver'));
  progress.log(`The receiver, another process, listens for webhooks at ${receiver.url}`);

  const templateId = await applyTemplate(baseUrl, apiKey);
  progress.log('Applied and published examples/templates/employee-onboarding.json with the command line');

  const runward = createClient({ baseUrl, apiKey });
  const member = await addSecondMember(baseUrl, service.owner);
  const webhookId = await registerWebhook(runward, receiver.url, templateId);
  const fields = await runward.templates.publishedFields(templateId).toArray({ limit: 1000 });
  const [user] = await runward.users.list().toArray({ limit: 1 });
  if (!user) throw new Error('The organization has no members.');
  const { total: earlier } = await runward.runs.counts({ templateId });
  if (earlier > 0) progress.log(`${earlier} runs of earlier demos exist; they are not changed`);

  const runIds: string[] = [];
  for (const { name, startDate: scheduledDateLocal, variables } of hires) {
    progress.update(`launching ${runIds.length + 1} of ${hires.length}: ${name}`);
    const { id, title } = await runward.runs.launch({ templateId, scheduledDateLocal, variables });
    checks.expect(title.includes(name), `The title of the run for ${name} should contain the name, but is "${title}".`);
    runIds.push(id);
  }
  progress.log(`Launched ${runIds.length} runs from examples/new-hires.csv, one for each row`);

  const assigned = assignScenarios(runIds.length);
  let values = 0;
  for (const [index, runId] of runIds.entries()) {
    const hire = hires[index];
    const scenario = assigned[index];
    if (!hire || !scenario) continue;
    progress.update(`run ${index + 1} of ${runIds.length}, ${hire.name}: ${scenario}`);
    values += await carryOut(scenario, {
      runward,
      approver: member.runward,
      runId,
      fields,
      subject: { hire, userId: user.id },
      checks,
    });
  }
  const done = Object.keys(scenarios).map((name) => `${assigned.filter((one) => one === name).length} ${name}`);
  progress.log(`Carried out the runs: ${done.join(', ')}`);

  progress.update('downloading the files of all runs');
  const files = await downloadFiles(runward, runIds);
  const [file] = files;
  checks.expect(file !== undefined, 'Files should be attached to the forms of the runs that were filled in.');
  progress.log(
    `Attached ${files.length} documents and signatures to forms, such as "${file?.fileName}", and downloaded them all`,
  );

  const portal = await publishPortal(runward, baseUrl, templateId);
  checks.expect(portal.html.includes('In progress'), `The portal ${portal.url} should list the runs in progress.`);
  progress.log(`Published a portal for everyone at ${portal.url}; it shows how far the runs are`);

  await awaitDeliveries(runward, webhookId, receiver.report, progress);
  const reconciliation = await reconcile(runward, webhookId, new Set(runIds), receiver.report);
  const runs: FinishedRun[] = [];
  for (const runId of runIds) runs.push(await runward.runs.get(runId));
  const given = await giveWork(runward, runs, member);
  progress.log(`Assigned ${given.length} tasks to the member who approves, and mentioned them in a comment`);
  await awaitMails(smtp, member, given, { checks, progress, dataDir });
  progress.log(summarize(runs, { values, files: files.length }, reconciliation, secondsSoFar()));

  for (const [index, { title, status }] of runs.entries()) {
    const scenario = assigned[index] ?? 'started';
    const expected = scenarios[scenario];
    checks.expect(status === expected, `"${title}" was ${scenario} and should be ${expected}, but is ${status}.`);
  }
  progress.log(
    `To see the runs in a browser: DATA_DIR=${dataDir} npm start, then open http://127.0.0.1:3000/console and sign in as ` +
      `${service.owner.ownerEmail} with the password in ${dataDir}/credentials.json`,
  );
  const { happened, sent, lost, rejected } = reconciliation;
  checks.expect(
    happened === sent,
    `The activity logs have ${happened} events, but the service has ${sent} deliveries.`,
  );
  checks.expect(lost === 0, `${lost} events never reached the receiver; the log of the service is ${service.logFile}.`);
  checks.expect(rejected === 0, `The receiver rejected ${rejected} deliveries: ${receiver.report.rejected[0]}`);
}

function stopAtEnd(name: string): (child: Child, logFile: string) => void {
  return (child, logFile) =>
    children.defer(async () => {
      const end = await child.stop();
      checks.expect(end === 0, `The ${name} ended with ${end} instead of 0; its log is ${logFile}.`);
    });
}

function recordFailure(error: unknown): void {
  checks.expect(false, error instanceof Error ? error.message : String(error));
}
