import type { z } from 'zod';

/** A date like `2026-11-27`. */
export type CalendarDate = `${number}-${number}-${number}`;

/** That a part of the API should no longer be used. It works as before until it is removed. */
export interface Deprecation {
  /** The day on which it was deprecated. */
  readonly since: CalendarDate;
  /** The first day on which it may be removed, 12 months later or more. Without it, the day is not decided. */
  readonly sunset?: CalendarDate;
  /** What takes its place, like `GET /runs` or `assigneeId`. */
  readonly use: string;
}

/**
 * What a deprecation means for those who use the part, in Markdown. Throws an Error if less than 12 months are between
 * the two days, which the guide about stability promises.
 */
export function deprecationText({ since, sunset, use }: Deprecation): string {
  const yearLater = `${Number(since.slice(0, 4)) + 1}${since.slice(4)}`;
  if (sunset !== undefined && sunset < yearLater) {
    throw new Error(
      `What is deprecated since ${since} must not be removed on ${sunset}; choose ${yearLater} or later.`,
    );
  }
  const until = sunset === undefined ? '' : ` It may be removed from ${sunset} on.`;
  return `Deprecated since ${since}; use \`${use}\` instead.${until}`;
}

/** A schema of a property that is deprecated. The document and the types of the SDK say so. */
export function deprecated<Schema extends z.ZodType>(schema: Schema, deprecation: Deprecation): Schema {
  const description = [schema.description, deprecationText(deprecation)].filter(Boolean).join(' ');
  return schema.meta({ ...schema.meta(), description, deprecated: true });
}
