/**
 * Runward from end to end: `npm run demo [-- --rows N] [--data-dir FOLDER]`. Starts the service and a receiver, each as a process
 * of its own, onboards the people of `examples/new-hires.csv`, and counts what became of every event. Exits 0 only if
 * nothing was lost and everything came out as expected. Its data stays in `.runward/demo`; a second run adds to it.
 */
import { createClient } from '@runward/sdk';
import { readArguments } from './arguments.ts';
import { createChecks } from './checks.ts';
import type { Child } from './child.ts';
import { awaitDeliveries, registerWebhook, takeAccount } from './deliveries.ts';
import { readNewHires } from './new-hires.ts';
import { dealParts, parts, play } from './parts.ts';
import { createProgress } from './progress.ts';
import { pushTemplate } from './push-template.ts';
import { startReceiver } from './receiver-process.ts';
import { startServer } from './server.ts';
import { summarise, type FinishedRun } from './summary.ts';

const started = Date.now();
const secondsSoFar = () => (Date.now() - started) / 1000;
const progress = createProgress();
const checks = createChecks();
const children = new AsyncDisposableStack();

const interrupted = new Promise<'interrupted'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('interrupted'));
});

const how = await Promise.race([interrupted, onboardEverybody().catch(describe)]);
progress.say('Stopping the service and the receiver ...');
await children.disposeAsync();
if (how === 'interrupted') {
  progress.say('Stopped before the end.');
  process.exit(130);
}
for (const failure of checks.failures) console.error(`FAILED: ${failure}`);
if (checks.failures.length === 0) progress.say('Nothing was lost, and everything came out as expected.');
// Not by itself: what still waits for a part that failed must not keep the process.
process.exit(checks.failures.length === 0 ? 0 : 1);

async function onboardEverybody(): Promise<void> {
  const { dataDir, rows } = readArguments();
  const hires = await readNewHires(rows, new Date());

  progress.say(`Starting the service on a PostgreSQL of its own; its data stays in ${dataDir}`);
  const service = await startServer(dataDir, stopAtEnd('service'));
  const { baseUrl, apiKey, signingSecret } = service;
  progress.say(
    `It is ready at ${baseUrl} after ${secondsSoFar().toFixed(1)} s. Its API reference is at ${baseUrl}/docs`,
  );

  const receiver = await startReceiver(dataDir, signingSecret, stopAtEnd('receiver'));
  progress.say(`A receiver, another process, waits for webhooks at ${receiver.url}`);

  const templateId = await pushTemplate(baseUrl, apiKey);
  progress.say('Pushed and published examples/templates/employee-onboarding.json with the command line');

  const runward = createClient({ baseUrl, apiKey });
  const webhookId = await registerWebhook(runward, receiver.url, templateId);
  const fields = await runward.templates.publishedFields(templateId).toArray({ limit: 1000 });
  const [user] = await runward.users.list().toArray({ limit: 1 });
  if (!user) throw new Error('The organization has no members.');
  const { total: earlier } = await runward.runs.counts({ templateId });
  if (earlier > 0) progress.say(`${earlier} runs of earlier demos are there; they are left alone`);

  const runIds: string[] = [];
  for (const { name, startDate: scheduledDateLocal, variables } of hires) {
    progress.show(`launching ${runIds.length + 1} of ${hires.length}: ${name}`);
    const { id, title } = await runward.runs.launch({ templateId, scheduledDateLocal, variables });
    checks.expect(title.includes(name), `The title of the run for ${name} should hold the name, but is "${title}".`);
    runIds.push(id);
  }
  progress.say(`Launched ${runIds.length} runs from examples/new-hires.csv, one for each row`);

  const dealt = dealParts(runIds.length);
  let values = 0;
  for (const [index, runId] of runIds.entries()) {
    const hire = hires[index];
    const part = dealt[index];
    if (!hire || !part) continue;
    progress.show(`run ${index + 1} of ${runIds.length}, ${hire.name}: to be ${part}`);
    values += await play(part, { runward, runId, fields, subject: { hire, userId: user.id }, checks });
  }
  const played = Object.keys(parts).map((part) => `${dealt.filter((one) => one === part).length} ${part}`);
  progress.say(`Worked on them: ${played.join(', ')}`);

  await awaitDeliveries(runward, webhookId, receiver.heard, progress);
  const account = await takeAccount(runward, webhookId, new Set(runIds), receiver.heard);
  const runs: FinishedRun[] = [];
  for (const runId of runIds) runs.push(await runward.runs.get(runId));
  progress.say(summarise(runs, values, account, secondsSoFar()));

  for (const [index, { title, status }] of runs.entries()) {
    const part = dealt[index] ?? 'begun';
    checks.expect(status === parts[part], `"${title}" was ${part} and should be ${parts[part]}, but is ${status}.`);
  }
  const { happened, sent, lost, refused } = account;
  checks.expect(happened === sent, `${happened} events happened, but ${sent} deliveries are on record.`);
  checks.expect(lost === 0, `${lost} events never reached the receiver; the service's log is ${service.logFile}.`);
  checks.expect(refused === 0, `The receiver refused ${refused} deliveries: ${receiver.heard.refused[0]}`);
}

function stopAtEnd(name: string): (child: Child) => void {
  return (child) =>
    children.defer(async () => {
      const end = await child.stop();
      checks.expect(end === 0, `The ${name} ended with ${end} instead of 0; its log is ${child.logFile}.`);
    });
}

function describe(error: unknown): void {
  checks.expect(false, error instanceof Error ? error.message : String(error));
}
