import type { Clock } from './time.ts';

/** The API's value formats. */
export interface Formats {
  isId(text: string): boolean;
  isEmail(text: string): boolean;
  isWebUrl(text: string): boolean;
  isDate(text: string): boolean;
  /** A timestamp in UTC with milliseconds; null if the text is none. */
  utc(text: string): string | null;
}

/**
 * Everything a decision depends on besides the run and the command. The caller supplies it, because the engine has no
 * clock, no time zone data, and no formats other than those of the contract.
 */
export interface Environment extends Clock {
  readonly formats: Formats;
  /** The bytes that the entries and values of a run can take; without it there is no limit. */
  readonly runBytes?: number | undefined;
}
