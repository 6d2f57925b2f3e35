import { html, type Child, type Markup } from '../html.ts';

/** A table of records, of which each row is a card on a narrow screen. The first column of a row names the record. */
export interface Table {
  readonly caption: Child;
  readonly columns: readonly string[];
  /** The cells of each row: one per column. */
  readonly rows: readonly (readonly Child[])[];
  /** Makes what stands before the name in the row of this position, such as a box to choose it. */
  readonly choice?: (position: number) => Markup;
}

/** Renders a table. The roles remain what they are for readers of the screen when the style makes rows into cards. */
export function renderTable({ caption, columns, rows, choice }: Table): Markup {
  return html`<table class="runs" role="table">
    <caption class="only-read">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${choice && html`<th role="columnheader" scope="col" class="choice"><span class="only-read">Choose</span></th>`}
        ${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ([name, ...cells], position) =>
          html`<tr role="row">
            ${choice && html`<td role="cell" class="choice">${choice(position)}</td>`}
            <th role="rowheader" scope="row">${name}</th>
            ${cells.map((cell, index) => html`<td role="cell" data-label="${columns[index + 1]}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
