import { checks, shownCheck, type ShownCheck } from '#lib/messages/migration/checks.ts';
import { requestFaultMessages } from '#lib/messages/migration/requestFaults.ts';
import type { RequestField } from '#lib/server/cross-chain/migration/request.ts';
import { POLICIES, type MigrationPolicy } from '#lib/server/cross-chain/migration/states.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';

/** What is wrong where, and every check that was made, of a draft that was not made. */
export interface Stopped {
	errors: Partial<Record<RequestField, string>>;
	checks: ShownCheck[];
}

/** The failed checks that belong to a field stand at the field. */
export function stopped(result: Exclude<DraftResult, { kind: 'drafted' }>): Stopped {
	if (result.kind === 'invalid') return { errors: requestFaultMessages(result.errors), checks: [] };
	const errors: Stopped['errors'] = {};
	for (const { result: verdict, field, message } of result.checks) {
		if (verdict === 'fail' && field !== undefined) errors[field] ??= checks.text(message);
	}
	return { errors, checks: result.checks.map(shownCheck) };
}

export const policyOf = (text: string): MigrationPolicy =>
	POLICIES.find((one) => one === text) ?? 'automatic';

/** A chain that was asked for in the address, when it is one of ours. */
export function askedChain(url: URL, name: string, chains: readonly string[]): string {
	const chain = url.searchParams.get(name) ?? '';
	return chains.includes(chain) ? chain : '';
}
