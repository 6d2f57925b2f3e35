import type { Total } from '@runward/contract';

/**
 * How a console page writes numbers and times: in the language of the browser and the time zone of the organization.
 */
export interface Formats {
  readonly timeZone: string;
  number(value: number): string;
  /** A number of records, like `12,345`, or `more than 10,000` if it is not exact. */
  total(total: Total): string;
  /** A date with its time, like `24 Nov 2026, 14:05`. */
  time(timestamp: string): string;
  /** A date without time, given as `2026-11-24`, like `24 Nov 2026`. */
  date(date: string): string;
}

/** Numbers are stored with so many digits. */
const exactDigits = 15;

/** Makes the formats for the header `Accept-Language`. An unknown language means British English. */
export function formatsFor(acceptLanguage: string, timeZone: string): Formats {
  const locale = localeOf(acceptLanguage);
  const numbers = new Intl.NumberFormat(locale, { maximumSignificantDigits: exactDigits });
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    timeZone,
    number: (value) => numbers.format(value),
    total: ({ total, totalIsExact = true }) => `${totalIsExact ? '' : 'more than '}${numbers.format(total)}`,
    time: (timestamp) => times.format(new Date(timestamp)),
    date: (date) => dates.format(new Date(`${date}T00:00:00Z`)),
  };
}

function localeOf(acceptLanguage: string): string {
  const wanted = acceptLanguage.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  for (const each of wanted) {
    try {
      const [locale] = Intl.DateTimeFormat.supportedLocalesOf(each);
      if (locale !== undefined) return locale;
    } catch {
      // This part is not a language tag.
    }
  }
  return 'en-GB';
}
