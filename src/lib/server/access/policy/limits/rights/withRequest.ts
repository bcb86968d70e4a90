import type { Executor } from '../../../../platform/database/database.ts';
import { isAppError } from '../../../../platform/errors/appError.ts';
import type { AccessTables } from '../../../tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { MeasuredSpend } from './spend.ts';
import { isRefused, needsApproval, termsOf, type Refused } from './refused.ts';

/** What an approval is asked for. */
interface ApprovalSubject {
	kind: 'transaction' | 'migration' | 'bytes';
	/** Id of the transaction or migration. */
	subject: string | null;
}

/**
 * The same refusal with the request for the approvals that it asks for, which is made where there is none; or why
 * none is made.
 * @param within the transaction in which it is written down that the subject waits for it: without its end there is
 * no request that nothing waits for
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
	// What the bytes do; that somebody calls with them is no part of it.
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
