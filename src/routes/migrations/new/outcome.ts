import { checks, shownCheck, type ShownCheck } from '#lib/messages/migration/checks.ts';
import { requestFaultMessages } from '#lib/messages/migration/requestFaults.ts';
import type { RequestField } from '#lib/server/cross-chain/migration/request.ts';
import { POLICIES, type MigrationPolicy } from '#lib/server/cross-chain/migration/states.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';

/** Field errors and checks of a draft that was not created. */
export interface Stopped {
	errors: Partial<Record<RequestField, string>>;
	checks: ShownCheck[];
}

/** Assigns failed checks that belong to a field to that field. */
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

/** Returns the chain in a query parameter if it is configured, else an empty text. */
export function chainParam(url: URL, name: string, chains: readonly string[]): string {
	const chain = url.searchParams.get(name) ?? '';
	return chains.includes(chain) ? chain : '';
}
