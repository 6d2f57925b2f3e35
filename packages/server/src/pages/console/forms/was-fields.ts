import { html, type Markup } from '../../html.ts';

/** The name of the hidden field with what a field contained when its form was shown. */
const wasName = (name: string) => `was-${name}`;

/** What a form contains for a field, without regard to the order of boxes. Browsers send other line breaks. */
function valueOf(form: URLSearchParams, name: string): string {
  return form.getAll(name).toSorted().join(',').replaceAll('\r\n', '\n');
}

/**
 * Hidden fields with what the fields of a form contain when it is shown, so that it changes only what its visitor has
 * changed. A form that is shown again because of errors repeats those that were sent.
 */
export function wasFields(saved: URLSearchParams, names: readonly string[], sent: URLSearchParams): Markup[] {
  return names.map((name) => {
    const value = sent.get(wasName(name)) ?? valueOf(saved, name);
    return html`<input type="hidden" name="${wasName(name)}" value="${value}" />`;
  });
}

/** Whether a field contains something else than when its form was shown. */
export function isChanged(form: URLSearchParams, name: string): boolean {
  return valueOf(form, wasName(name)) !== valueOf(form, name) || !form.has(wasName(name));
}
