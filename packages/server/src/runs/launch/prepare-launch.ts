import { formats, type ErrorCodeOf } from '@runward/contract';
import {
  definedVariables,
  hashBeforeFirst,
  launch,
  missingVariables,
  unfitVariables,
  unknownVariables,
  type ProcessDocument,
  type RunState,
  type VariableValue,
} from '@runward/engine';
import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { clockOf, today } from '../../calendar.ts';
import { newId, newIdAt, newPublicId } from '../../ids.ts';
import { loadDocument } from '../../templates/load-document.ts';
import { activityOf } from '../change/activity-of.ts';
import type { DecidedChange } from '../change/with-events.ts';
import type { LaunchableTemplate } from '../queries/find-launchable.ts';

/** What a launch can set besides the template (spec: POST /runs). A null is the same as no value. */
export interface LaunchOptions {
  readonly title?: string | null | undefined;
  readonly scheduledDateLocal?: string | null | undefined;
  readonly ownerEmail?: string | null | undefined;
  readonly variables?: Readonly<Record<string, VariableValue>> | null | undefined;
}

/**
 * A launch to save, or why it is rejected: the message of one business rule, or a list of messages for invalid options.
 */
export type PreparedLaunch =
  | { readonly rejection: null; readonly run: RunState; readonly change: DecidedChange }
  | { readonly rejection: { readonly code: ErrorCodeOf<400>; readonly messages: string | string[] } };

/** Decides a launch. `owners` has the members by their email addresses in lower case. */
export async function prepareLaunch(
  { em, actor, now }: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  template: LaunchableTemplate,
  options: LaunchOptions,
  owners: ReadonlyMap<string, string>,
  // Lists are ordered by id, so the id contains the time of `createdAt`.
  runId = newIdAt(now),
): Promise<PreparedLaunch> {
  const { organizationId } = actor;
  const { timeZone, publishedVersionId } = template;
  if (template.isArchived) return rejected('template_archived', 'The template is archived; unarchive it first.');
  if (publishedVersionId === null)
    return rejected('template_not_published', 'The template has no published version; publish it first.');

  const document = await loadDocument(em, organizationId, publishedVersionId);
  const { ownerEmail, title, scheduledDateLocal } = options;
  const ownerUserId = ownerEmail == null ? actor.userId : owners.get(ownerEmail.toLowerCase());
  const problems = problemsOf(document, options, ownerUserId);
  const missing = missingVariables(document, options.variables ?? {}).map(missingMessage);
  if (ownerUserId === undefined || problems.length > 0) return rejected('validation_failed', [...problems, ...missing]);
  if (missing.length > 0) return rejected('required_variables_missing', missing);
  const decision = launch(
    document,
    {
      runId,
      publicId: newPublicId(),
      templateId: template.id,
      templateVersionId: publishedVersionId,
      title: title ?? null,
      template,
      ownerUserId,
      scheduledDateLocal: scheduledDateLocal ?? today(timeZone, now),
      variables: options.variables ?? {},
      runTaskIds: document.tasks.map(newId),
    },
    clockOf(template, now),
  );
  if (decision.rejection) return rejected('validation_failed', [decision.rejection.message]);

  const { state: run, facts } = decision;
  const activity = activityOf({ activityCount: 0, activityHash: hashBeforeFirst }, facts, authorOf(actor));
  const change = {
    before: null,
    after: run,
    facts,
    activity,
    activityCount: 0,
    lastActivityAt: run.createdAt,
    groupIds: [],
    assigneeIds: [],
    subscribers: template.subscribers ?? [],
    publishedVersionId,
  };
  return { rejection: null, run, change };
}

function rejected(code: ErrorCodeOf<400>, messages: string | string[]): PreparedLaunch {
  return { rejection: { code, messages } };
}

function missingMessage(key: string): string {
  return `variables.${key}: the template requires a value for this flow variable; send one`;
}

/** The email addresses of the owners that launches name, in lower case. */
export function emailsOf(launches: readonly LaunchOptions[]): string[] {
  return [...new Set(launches.flatMap(({ ownerEmail }) => ownerEmail?.toLowerCase() ?? []))];
}

/**
 * One message per option that the template or the organization rejects. `ownerUserId` is undefined if no one has the
 * email address.
 */
function problemsOf(document: ProcessDocument, options: LaunchOptions, ownerUserId: string | undefined): string[] {
  const owner = `ownerEmail: ${options.ownerEmail} is not an active member of this organization; see GET /users`;
  const unknown = unknownVariables(document, options.variables ?? {});
  const variables = unknown.map(
    (key) => `variables.${key}: unknown flow variable; the template defines ${definedVariables(document)}`,
  );
  const unfit = unfitVariables(document, options.variables ?? {}, formats);
  const all = [...variables, ...unfit.map(({ key, problem }) => `variables.${key}: ${problem}`)];
  return ownerUserId === undefined ? [owner, ...all] : all;
}
