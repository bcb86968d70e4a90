import type { ColumnType } from 'kysely';
import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { RequestedRight } from './rights.ts';

type Outcome = 'granted' | 'dismissed' | null;

/** A member's request for a right. */
export interface AccessRequestsTable {
	id: string;
	account_id: string;
	requested_right: RequestedRight;
	/** Path of the page from which it was requested. */
	path: string;
	/** Unix milliseconds. */
	asked_at: Int64;
	/** UTC day of `asked_at`, counted from 1970: unique for each member and right. */
	day: Int64;
	/** Null while it is open. */
	outcome: ColumnType<Outcome, Outcome | undefined, Outcome>;
	decided_by: NullableText;
	decided_at: NullableInt64;
}

export interface AccessRequestTables {
	access_requests: AccessRequestsTable;
}
