/** Observations of members, roles, grants and form links that were changed. Times are in epoch milliseconds. */
export interface AdminHistory {
  /** Those of one member in order: their writer waits for each response, and leaves them without one. */
  readonly changes: readonly AdminChange[];
  readonly visits: readonly LinkVisit[];
  /** What the service has at the end of these members. */
  readonly members: readonly AdminMember[];
  readonly links: readonly StoredLink[];
  /** The lines of the audit log about these members. */
  readonly lines: readonly AuditedChange[];
  /** Why `admin audit --verify` found that the audit log was changed; null if it was not. */
  readonly brokenLog: string | null;
}

/** What an administrative change is called in the audit log, and whom and what it concerns. */
export interface AuditedChange {
  readonly action: string;
  /** The address of the member. A guest has one form link at most. */
  readonly email: string;
  /** The new role of a member, or the id of the template of a grant; null for form links. */
  readonly value: string | null;
}

/** A change, repeated with one Idempotency-Key until it got a response. */
export interface AdminChange extends AuditedChange {
  readonly action:
    | 'user.created'
    | 'user.updated'
    | 'grant.created'
    | 'grant.revoked'
    | 'form_link.created'
    | 'form_link.revoked';
  readonly from: number;
  /** When the response arrived; null without one. */
  readonly to: number | null;
  readonly status: number | null;
  /** The message of an error. */
  readonly message?: string;
}

/** A person opened a form link, or a page of the session that the link had started. */
export interface LinkVisit {
  readonly email: string;
  readonly from: number;
  readonly to: number;
  /** Whether the page of the task was shown. */
  readonly isOpened: boolean;
}

/** A member, and the templates that were granted to them. */
export interface AdminMember {
  readonly email: string;
  readonly role: string;
  readonly templateIds: readonly string[];
}

/** A row of `form_links`. */
export interface StoredLink {
  readonly email: string;
  readonly isRevoked: boolean;
}

/** Whether the response to a change said that it took effect. */
export function isAcknowledged({ status }: AdminChange): boolean {
  return status !== null && status < 400;
}
