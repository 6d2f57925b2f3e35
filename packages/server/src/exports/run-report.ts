import { visibleFields, type Display, type EntryState, type TaskState } from '@runward/engine';
import type { LoadedRun } from '../runs/store/load.ts';
import type { ShortTimes } from '../short-times.ts';
import { inWords, shortened } from '../words.ts';
import { displaySubmitted } from './display-submitted.ts';
import type { Picture } from './pictures.ts';
import { oneLine, printed, type Printed } from './printed.ts';

/** What the report of a run contains besides the run and its activity. */
export interface ReportContext {
  readonly organization: string;
  readonly template: string;
  readonly versionNumber: number;
  readonly timeZone: string;
  /** Formats times in this zone for tables. */
  readonly times: ShortTimes;
  readonly now: Date;
  readonly generatedBy: string;
  /** The files of the run by id. */
  readonly pictures: ReadonlyMap<string, Picture>;
}

interface Status {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'plain';
}

const tones: Readonly<Record<string, Status['tone']>> = {
  COMPLETED: 'good',
  GRANTED: 'good',
  OVERDUE: 'bad',
  REJECTED: 'bad',
  CANCELLED: 'bad',
  BLOCKED: 'warn',
  PENDING_APPROVAL: 'warn',
  REQUESTED: 'warn',
};

/**
 * The report of a run, as `documents/run.typ` reads it, without tasks and audit trail. Asks for the name of each id.
 */
export function runReport({ state }: LoadedRun, context: ReportContext, display: Display) {
  const { organization, template, versionNumber, timeZone, now, generatedBy } = context;
  const shown = (at: string | null) => at && display.dateTime(at);
  const facts = [
    ['Template', `${template}, version ${versionNumber}`],
    ['Owner', display.nameOf(state.ownerUserId)],
    ['Scheduled for', display.date(state.scheduledDateLocal)],
    ['Launched', shown(state.createdAt)],
    ['Completed', shown(state.completedAt)],
    ['Cancelled', shown(state.cancelledAt)],
    ['Archived', shown(state.archivedAt)],
    ['Run id', state.id],
  ] as const;
  const title = oneLine(state.title);
  return {
    title: `${title} (${state.publicId})`,
    author: oneLine(organization),
    keywords: [state.publicId, state.id],
    publicId: state.publicId,
    shortTitle: printed(shortened(title, 80)),
    organization: printed(organization),
    // A heading needs a text, and a title can consist of characters that are not printed.
    heading: printed(title === '' ? state.publicId : state.title, 'heading'),
    status: statusOf(state.status),
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [[label, printed(value)]])),
    times: `All times are in the time zone ${timeZone}.`,
    footer: printed(`Generated ${display.dateTime(now.toISOString())} by ${shortened(oneLine(generatedBy), 80)}`),
  };
}

/** A task in the report of a run, without its entries. Asks for the name of each id. */
export function taskReport(task: TaskState, number: number, context: ReportContext, display: Display) {
  const { definition, dueAt, dueAtHasTime, completedAt, assigneeId, assigneeGroupId } = task;
  const assignee = assigneeId ?? assigneeGroupId;
  const { short } = context.times;
  return {
    number: String(number),
    title: printed(definition.title, 'label'),
    status: statusOf(task.status),
    assignee: printed(assignee === null ? '–' : display.nameOf(assignee), 'cell'),
    due: dueAt === null ? '–' : short(dueAt, dueAtHasTime),
    completed: completedAt === null ? '–' : short(completedAt),
    approval: approvalOf(task, display),
  };
}

/** An entry in the report of a run. Asks for the name of each id. */
export function entryReport(
  task: TaskState,
  entry: EntryState,
  number: number,
  { pictures }: ReportContext,
  display: Display,
) {
  const { createdByUserId, createdAt, completedAt } = entry;
  const name = task.definition.repeatable ? `Entry ${number}, opened` : 'Opened';
  const opened = `${name} by ${display.nameOf(createdByUserId)}, ${display.dateTime(createdAt)}`;
  const end = completedAt === null ? 'not completed' : `completed ${display.dateTime(completedAt)}`;
  return {
    heading: printed(`${opened} · ${end}`),
    fields: visibleFields(task).map((field) => {
      const submitted = entry.values.find(({ fieldId }) => fieldId === field.id);
      const files = [submitted?.value ?? []].flat().flatMap((id) => pictures.get(String(id)) ?? []);
      const text = files.length > 0 ? namesOf(files) : displaySubmitted(field, submitted, display);
      return {
        label: printed(field.label, 'label'),
        value: text === null ? null : printed(text),
        images: files.flatMap(({ name: file, image }) =>
          image ? [{ ...image, name: printed(file), alt: oneLine(`${field.label}: ${file}`) }] : [],
        ),
        submitted: submitted
          ? printed(`${display.nameOf(submitted.submittedByUserId)}, ${display.dateTime(submitted.submittedAt)}`)
          : null,
      };
    }),
  };
}

/** The files without an image, one line each. Null if all have an image. */
function namesOf(files: readonly Picture[]): string | null {
  const named = files.filter(({ image }) => !image).map(({ name, note }) => `${name} (${note})`);
  return named.length === 0 ? null : named.join('\n');
}

function approvalOf({ definition, approval }: TaskState, display: Display) {
  if (!definition.approval) return null;
  const { policy, approverIds, approverGroupIds } = definition.approval;
  const approvers = [...approverIds, ...approverGroupIds].map((id) => display.nameOf(id));
  const who = approvers.length === 0 ? 'anyone who may change runs' : approvers.join(', ');
  const lines = (approval?.decisions ?? []).map(({ userId, decision, comment, at }) => {
    const text = `${decision === 'GRANTED' ? 'Granted' : 'Rejected'} by ${display.nameOf(userId)}, ${display.dateTime(at)}`;
    return comment === null ? text : `${text}: “${comment}”`;
  });
  const requested = approval ? [`Requested ${display.dateTime(approval.requestedAt)}`] : [];
  return {
    status: statusOf(approval?.status ?? 'NOT_REQUESTED'),
    policy: printed(`${policy === 'ALL' ? 'All of' : 'One of'}: ${who}`),
    lines: [...requested, ...lines].map((line) => printed(line)) satisfies Printed[],
  };
}

function statusOf(status: string): Status {
  return { text: inWords(status), tone: tones[status] ?? 'plain' };
}
