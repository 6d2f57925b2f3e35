import { contract, type Response } from '@runward/contract';
import { html } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { linkShownOnce } from '../link-shown-once.ts';
import { timeTag } from '../time-tag.ts';
import { showMember } from './show-member.ts';

type NewLink = Response<typeof contract.users.createPasswordLink>;

/** Makes a link with which a member sets their password, and shows it, this once. */
export async function createPasswordLink(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params } = request;
  try {
    return linkView(request, params['id'] ?? '', await call(api, contract.users.createPasswordLink, { params }));
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return showMember(request, { status, errors: formErrors(messages) });
  }
}

/** A new link of a member, with which they set their password. It is shown only here. */
export function linkView({ formats }: ConsoleRequest, memberId: string, link: NewLink): ConsoleView {
  const { purpose, expiresAt } = link;
  const main = html`${linkShownOnce(link, ' to the member')}
    <p class="note">
      It works once, until ${timeTag(formats, expiresAt)} (${formats.timeZone}). Whoever has it can sign in as the
      member.
    </p>
    <p><a class="button quiet" href="${consolePaths.members}/${memberId}">Go to the member</a></p>`;
  const title = purpose === 'INVITATION' ? 'The invitation is ready' : 'The reset link is ready';
  return { title, section: 'members', main, status: 201 };
}
