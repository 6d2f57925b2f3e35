/**
 * What a browser sends for the form on a page whose action ends with this text, without any of its buttons: the fields
 * in their order, with hidden ones, ticked boxes and selected options.
 */
export function formOf(html: string, action: string): { path: string; fields: [string, string][] } {
  const forms = [...html.matchAll(/<form([^>]*)>([^]*?)<\/form>/g)];
  const [, attributes = '', content = ''] =
    forms.find(([, each = '']) => attribute(each, 'action')?.endsWith(action)) ?? [];
  const path = attribute(attributes, 'action');
  if (path === undefined) throw new Error(`The page has no form for ${action}.`);
  const controls = content.matchAll(
    /<input([^>]*)>|<select([^>]*)>([^]*?)<\/select>|<textarea([^>]*)>\n?([^<]*)<\/textarea>/g,
  );
  const fields = [...controls].map(([, input, select, options = '', area = '', text = '']): [string, string][] => {
    const name = attribute(input ?? select ?? area, 'name') ?? '';
    if (input !== undefined) {
      const isOff = /type="(?:checkbox|radio)"/.test(input) && !/\schecked/.test(input);
      return isOff ? [] : [[name, attribute(input, 'value') ?? '']];
    }
    if (select === undefined) return [[name, unescaped(text)]];
    const all = [...options.matchAll(/<option([^>]*)>/g)].map(([, each = '']) => each);
    const chosen = all.find((each) => /\sselected/.test(each)) ?? all[0];
    return chosen === undefined ? [] : [[name, attribute(chosen, 'value') ?? '']];
  });
  return { path, fields: fields.flat() };
}

/** The fields of a form with one of them changed. */
export function withField(fields: readonly [string, string][], name: string, value: string): [string, string][] {
  return [...fields.filter(([each]) => each !== name), [name, value]];
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
