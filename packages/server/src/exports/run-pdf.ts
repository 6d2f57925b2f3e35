import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Display, Fact } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { Organization } from '../organization/entities/organization.ts';
import { collectingNames, displayOf } from '../runs/read/display.ts';
import type { Activity } from '../runs/entities/activity.ts';
import { acceptedTypes } from '../files/content-types.ts';
import { RunFile } from '../files/entities/run-file.ts';
import { readActivity } from '../runs/queries/list-activity.ts';
import type { LoadedRun } from '../runs/store/load.ts';
import { Template } from '../templates/entities/template.ts';
import { TemplateVersion } from '../templates/entities/template-version.ts';
import { describeFact, namesIn, type Named } from './describe-fact.ts';
import { layoutFiles, sourceOf } from './layout.ts';
import { picturesOf } from './pictures.ts';
import { printed } from './printed.ts';
import { runReport, taskReport, type ReportContext } from './run-report.ts';
import { shortTimes } from '../short-times.ts';

/** More lines would take too long to lay out; the newest ones are printed. */
const maximumLines = 10_000;
const batchSize = 50;

const source = sourceOf('run');

/** The report of a run as PDF. Reads what it needs with the first chunk. */
export async function* runPdf(
  context: RequestContext,
  run: LoadedRun,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { em, actor, now, ports } = context;
  const { organizationId, timeZone } = actor;
  const { id, templateId, templateVersionId } = run.state;
  const readOnly = { disableIdentityMap: true } as const;
  const organization = await em.findOne(Organization, { id: organizationId }, readOnly);
  const template = await em.findOne(
    Template,
    { organizationId, id: templateId },
    { ...readOnly, fields: ['id', 'name'] },
  );
  const version = await em.findOne(
    TemplateVersion,
    { organizationId, id: templateVersionId },
    { ...readOnly, fields: ['id', 'number'] },
  );
  const files = await em.find(RunFile, { organizationId, runId: id, status: 'STORED' }, readOnly);
  const folder = await mkdtemp(join(tmpdir(), 'runward-report-'));
  try {
    const imageFields = imageFieldsOf(run);
    const shown = files.map((file) => Object.assign(file, { isImage: imageFields.has(file.runTaskFieldId) }));
    const { pictures, paths } = await picturesOf(ports.files, shown, folder, signal);
    const facts: ReportContext = {
      organization: found(organization, 'Organization').name,
      template: found(template, 'Template').name,
      versionNumber: found(version, 'Version').number,
      timeZone,
      times: shortTimes(timeZone),
      now,
      generatedBy: actor.userId,
      pictures,
    };
    const names = namesIn(run.state);
    const tasks = run.state.tasks.filter(({ hidden }) => !hidden);
    const { ids, collect } = collectingNames();
    ids.add(actor.userId);

    runReport(run, facts, collect);
    for await (const batch of inBatches(tasks)) for (const task of batch) taskReport(task, 0, facts, collect);
    const lines: Activity[] = [];
    for await (const batch of readActivity(em, organizationId, id, { until: run.activityCount, limit: maximumLines })) {
      for (const line of batch) describeLine(line, names, collect);
      lines.push(...batch);
    }
    const display = await displayOf(context, run.state, ids);

    const report = runReport(run, { ...facts, generatedBy: display.nameOf(actor.userId) }, display);
    const taskReports: unknown[] = [];
    for await (const batch of inBatches(tasks)) {
      taskReports.push(...batch.map((task, index) => taskReport(task, taskReports.length + index + 1, facts, display)));
    }
    const printedLines: unknown[] = [];
    for await (const batch of inBatches(lines)) {
      printedLines.push(
        ...batch.map((line) => {
          const { actor: by, what } = describeLine(line, names, display);
          return [String(line.sequence), facts.times.exact(line.at), printed(by, 'label'), printed(what)];
        }),
      );
    }
    const audit = { intro: introOf(run.activityCount, lines.length), head: run.activityHash, lines: printedLines };
    yield* ports.pdf.make(
      {
        source,
        texts: { '/run.json': JSON.stringify({ ...report, tasks: taskReports, audit }) },
        files: { ...layoutFiles, ...paths },
      },
      signal,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function imageFieldsOf({ state }: LoadedRun): Set<string> {
  const fields = state.tasks.flatMap(({ definition }) => definition.fields);
  return new Set(fields.filter(({ type }) => acceptedTypes(type) !== null).map(({ id }) => id));
}

/** Between two batches other requests are served. */
async function* inBatches<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    await setImmediate();
    yield items.slice(start, start + batchSize);
  }
}

function describeLine(line: Activity, names: Named, display: Display) {
  return { actor: actorOf(line, display), what: describeFact(factOf(line), names, display) };
}

function factOf({ type, at, data }: Activity): Fact {
  return Object.assign({ type, at: at.toISOString() }, data) as Fact;
}

function actorOf({ actorType, actorUserId }: Activity, display: Display): string {
  if (actorUserId == null) return 'Runward';
  const name = display.nameOf(actorUserId);
  return actorType === 'API_KEY' ? `${name} (API key)` : name;
}

function introOf(total: number, count: number): string {
  const lines = count < total ? `The newest ${count} of ${total} changes of the run` : 'Every change of the run';
  return `${lines}, oldest first. Each one is chained to the one before by SHA-256; “runward audit verify” checks an export of the complete chain.`;
}
