import type { Executor } from '../../platform/database/database.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { AccessTables } from '../tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { MeasuredSpend } from './spend.ts';
import { isRefused, needsApproval, termsOf, type Refused } from './refused.ts';

/** What an approval is requested for. */
interface ApprovalSubject {
	kind: 'transaction' | 'migration' | 'bytes';
	/** Id of the transaction or migration. */
	subject: string | null;
}

/**
 * Returns the refusal with the id of the approval request that it needs, which is created where none exists;
 * or the reason why none can be created. Any other refusal is returned unchanged.
 * @param within the database transaction that also records that the subject waits for the request, so that no
 * request exists without something waiting for it
 */
export async function withRequest(
	{ approvals }: RightsDependencies,
	error: Refused,
	spend: MeasuredSpend,
	{ kind, subject }: ApprovalSubject,
	within?: Executor<AccessTables>
): Promise<Refused> {
	const { account, person, token, wallet, chain, bytes } = spend;
	const terms = termsOf.get(error);
	if (!isAppError(error, 'policy.needs-approval') || terms === undefined) return error;
	if (bytes === null || account === null) return error;
	const { rule } = error.params;
	// The approval is for what the bytes do, not for the call that brings them.
	const movements = spend.movements.filter(({ kind }) => kind !== 'call');
	const by = { account, author: person, token };
	try {
		const wanted = { ...by, wallet, chain, ...bytes, movements, terms, kind, subject };
		const request = await approvals.ask(wanted, within);
		return needsApproval(rule, terms, request);
	} catch (cause) {
		if (!isRefused(cause)) throw cause;
		return cause;
	}
}
