import { setImmediate } from 'node:timers/promises';
import type { Display, Fact, TaskState } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import type { PdfDocument } from '../adapters/pdf.ts';
import { found } from '../api-error.ts';
import { acceptedTypes } from '../files/content-types.ts';
import { RunFile } from '../files/entities/run-file.ts';
import { Organization } from '../organization/entities/organization.ts';
import type { Activity } from '../runs/entities/activity.ts';
import { readActivity } from '../runs/queries/list-activity.ts';
import { collectingNames, displayOf } from '../runs/read/display.ts';
import { findRun } from '../runs/read/find-run.ts';
import type { LoadedRun } from '../runs/store/load.ts';
import { shortTimes } from '../short-times.ts';
import { TemplateVersion } from '../templates/entities/template-version.ts';
import { Template } from '../templates/entities/template.ts';
import { commentReport, readNewestComments } from './comment-report.ts';
import { describeFact, namesIn, type Named } from './describe-fact.ts';
import { layoutFiles, sourceOf } from './layout.ts';
import { picturesOf } from './pictures.ts';
import { printed } from './printed.ts';
import { entryReport, runReport, taskReport, type ReportContext } from './run-report.ts';

/** More lines would take too long to lay out. The newest ones are printed. */
const maximumLines = 10_000;
const batchSize = 50;

const source = sourceOf('run');

/** The report of a run as PDF. Reads the data when the first chunk is requested. */
export function runPdf(context: RequestContext, runId: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const prepare = (folder: string, inTime: AbortSignal) => documentOf(context, runId, folder, inTime);
  return context.ports.pdf.make(context.actor.organizationId, prepare, signal);
}

/** In memory at the same time are the run with its values, and a batch of its tasks, their entries or its activity. */
async function documentOf(
  context: RequestContext,
  runId: string,
  folder: string,
  signal: AbortSignal,
): Promise<PdfDocument> {
  const { em, actor, now, ports } = context;
  const { organizationId, timeZone } = actor;
  const run = await findRun(context, runId, { forms: true });
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
  // Read twice, for the names and for the lines: all lines together can be larger than the memory of the process.
  const readLines = () =>
    readActivity(em, organizationId, id, { until: run.activityCount, limit: maximumLines }, signal);
  const newest = await readNewestComments(context, id);
  const commentsWith = (display: Display) =>
    commentReport(newest, (author) => actorOf(author, display), names, display);
  const { ids, collect } = collectingNames();
  ids.add(actor.userId);

  runReport(run, facts, collect);
  commentsWith(collect);
  for await (const batch of inBatches(tasks, signal)) {
    for (const task of batch) {
      taskReport(task, 0, facts, collect);
      for await (const _ of entryReports(task, collect)) signal.throwIfAborted();
    }
  }
  for await (const batch of readLines()) for (const line of batch) describeLine(line, names, collect);
  const display = await displayOf(context, run.state, ids);

  async function* entryReports(task: TaskState, shown: Display) {
    let number = 0;
    for await (const batch of inBatches(task.entries, signal)) {
      yield batch.map((entry) => entryReport(task, entry, (number += 1), facts, shown));
    }
  }
  async function* taskReports() {
    let number = 0;
    for await (const batch of inBatches(tasks, signal)) {
      for (const task of batch) {
        const report = JSON.stringify(taskReport(task, (number += 1), facts, display));
        yield `${number === 1 ? '[' : ','}${report.slice(0, -1)},"entries":`;
        yield* arrayOf(entryReports(task, display));
        yield '}';
      }
    }
    yield number === 0 ? '[]' : ']';
  }
  async function* printedLines() {
    for await (const batch of readLines()) {
      yield batch.map((line) => {
        const { actor: by, what } = describeLine(line, names, display);
        return [String(line.sequence), facts.times.exact(line.at), printed(by, 'label'), printed(what)];
      });
    }
  }
  const report = runReport(run, { ...facts, generatedBy: display.nameOf(actor.userId) }, display);
  const audit = { intro: introOf(run.activityCount), head: run.activityHash };
  return {
    source,
    texts: {
      '/run.json': JSON.stringify({ ...report, comments: commentsWith(display), audit }),
      '/tasks.json': taskReports(),
      '/lines.json': arrayOf(printedLines()),
    },
    files: { ...layoutFiles, ...paths },
  };
}

/** The items of batches as a JSON array, one chunk per batch. */
async function* arrayOf(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of batches) {
    for (const item of batch) {
      yield separator + JSON.stringify(item);
      separator = ',';
    }
  }
  yield separator === '[' ? '[]' : ']';
}

function imageFieldsOf({ state }: LoadedRun): Set<string> {
  const fields = state.tasks.flatMap(({ definition }) => definition.fields);
  return new Set(fields.filter(({ type }) => acceptedTypes(type) !== null).map(({ id }) => id));
}

/** Other requests are served between two batches. */
async function* inBatches<Item>(items: readonly Item[], signal: AbortSignal): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    await setImmediate();
    signal.throwIfAborted();
    yield items.slice(start, start + batchSize);
  }
}

function describeLine(line: Activity, names: Named, display: Display) {
  return { actor: actorOf(line, display), what: describeFact(factOf(line), names, display) };
}

function factOf({ type, at, data }: Activity): Fact {
  return Object.assign({ type, at: at.toISOString() }, data) as Fact;
}

function actorOf({ actorType, actorUserId }: Pick<Activity, 'actorType' | 'actorUserId'>, display: Display): string {
  if (actorUserId == null) return 'Runward';
  const name = display.nameOf(actorUserId);
  return actorType === 'API_KEY' ? `${name} (API key)` : name;
}

function introOf(total: number): string {
  const isComplete = total <= maximumLines;
  const lines = isComplete ? 'Every change of the run' : `The newest ${maximumLines} of ${total} changes of the run`;
  return `${lines}, oldest first. Each one is chained to the one before by SHA-256; “runward audit verify” checks an export of the complete chain.`;
}
