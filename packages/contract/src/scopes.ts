import { z } from 'zod';

/** The scopes an API key can hold (spec: Authentication, Scopes). */
export const scopes = [
  'runs:read',
  'runs:write',
  'runs:execute',
  'templates:read',
  'templates:write',
  'templates:publish',
  'files:read',
  'files:write',
  'data-sources:read',
  'data-sources:write',
  'users:read',
  'webhooks:manage',
] as const;

/** A permission on the wire. */
export const scope = z.enum(scopes).meta({ id: 'Scope', description: 'A permission of an API key.' });

/** A permission of an API key, like `runs:read`. */
export type Scope = (typeof scopes)[number];

/** Ways to restrict an API key to some templates (spec: Resource mode). */
export const resourceModes = ['ALL', 'SELECTED_TEMPLATES', 'SELECTED_FOLDERS'] as const;

/** A resource mode on the wire. */
export const resourceMode = z.enum(resourceModes).meta({
  id: 'ResourceMode',
  description: 'ALL: every template. Otherwise only the listed templates, or the templates in the listed folders.',
});

/** `ALL`: every template. The other modes: only the listed templates, or templates in the listed folders. */
export type ResourceMode = (typeof resourceModes)[number];
