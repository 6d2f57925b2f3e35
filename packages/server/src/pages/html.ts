import { html as render, raw } from 'hono/html';

/** HTML in which everything that came from elsewhere is escaped. */
export type Markup = ReturnType<typeof raw>;

/**
 * What can stand in a template: text is escaped, markup is not, and lists are joined. `false`, `null` and `undefined`
 * leave nothing.
 */
export type Child = Markup | string | number | false | null | undefined | readonly Child[];

/** Makes HTML of a template. Attributes with values in them must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Child[]): Markup {
  // It returns a promise only for values that are promises.
  return render(strings, ...values) as Markup;
}

/** Markup of a text that is HTML already and safe: the output of a sanitizer. */
export function trusted(text: string): Markup {
  return raw(text);
}
