import { html, type Child, type Markup } from '../html.ts';

/** A table of records, of which each row is a card on a narrow screen. The first column of a row names the record. */
export interface Table {
  readonly caption: Child;
  readonly columns: readonly string[];
  /** The cells of each row: one per column. */
  readonly rows: readonly (readonly Child[])[];
  /** Boxes before the names, with which records are chosen. */
  readonly choices?: Choices;
}

/** The boxes of a table, one per row. */
interface Choices {
  /** The name of the boxes in their form. */
  readonly name: string;
  readonly records: readonly { readonly id: string; readonly label: string }[];
}

/** Renders a table. The roles remain what they are for readers of the screen when the style makes rows into cards. */
export function renderTable({ caption, columns, rows, choices }: Table): Markup {
  return html`<table class="runs" role="table">
    <caption class="only-read">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${choices && html`<th role="columnheader" scope="col" class="choice"><span class="only-read">Choose</span></th>`}
        ${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ([name, ...cells], position) =>
          html`<tr role="row">
            ${choices && choiceCell(choices, position)}
            <th role="rowheader" scope="row">${name}</th>
            ${cells.map((cell, index) => html`<td role="cell" data-label="${columns[index + 1]}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function choiceCell({ name, records }: Choices, position: number): Markup {
  const record = records[position];
  return html`<td role="cell" class="choice">
    <input type="checkbox" name="${name}" value="${record?.id}" aria-label="Choose ${record?.label}" />
  </td>`;
}
