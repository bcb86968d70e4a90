import { recordedError } from '#lib/messages/errors/recorded.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import type { Gateway } from '../../../chains/daemon/types.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { pageOfHolder } from '../../../wallet/locked-utxos/locks.ts';
import { refusal, type Check } from '../check.ts';
import { preflight, type Preflight } from '../preflight.ts';
import type { MigrationRequest } from '../request.ts';
import type { MigrationRow } from '../migrationRecord.ts';
import { unknownWallet, walletOfDraft, type BuiltBy } from '../routeDaemons.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** Returns why a member may not use the wallet of a daemon, as a failed check; null when they may. */
export async function foreignWallet(
	deps: MigrationDependencies,
	person: string,
	daemon: string,
	act?: string
): Promise<Check | null> {
	const { rights } = deps;
	const no = await rights.walletRefusal(person, daemon, act);
	return no === null
		? null
		: {
				...refusal({ code: 'wallet.denied', params: { error: recordedError(no) } }, 'wallet'),
				field: 'source'
			};
}

/**
 * Runs all checks before a burn. No daemon is asked for a member who may not use the wallet. (A member with access
 * to one wallet of a chain is offered no other.)
 * @param draft the draft whose wallet is kept while it is configured; null: none has built a burn yet
 */
export async function checkFor(
	deps: MigrationDependencies,
	person: string,
	request: MigrationRequest,
	draft: BuiltBy | null,
	act?: string
): Promise<Preflight> {
	const { gateway, rights, indexesOf, fungibleTokens } = deps;
	const { source } = request;
	const unknown = draft === null ? undefined : unknownWallet(gateway, draft);
	if (unknown) {
		const message = { code: 'wallet.not-known-yet', params: { daemon: unknown.id } } as const;
		return { checks: [{ ...refusal(message, 'wallet'), field: 'source' }], route: null };
	}
	const usual = await rights.gatewayOf(person);
	const built = draft === null ? undefined : walletOfDraft(gateway, draft);
	const mine: Gateway = built
		? {
				...usual,
				daemonFor: (chain, purpose) =>
					chain === source && purpose === 'wallet' ? built : usual.daemonFor(chain, purpose)
			}
		: usual;
	const wallet = mine.daemonFor(source, 'wallet');
	const foreign = wallet ? await foreignWallet(deps, person, wallet.id, act) : null;
	return foreign
		? { checks: [foreign], route: null }
		: preflight(mine, request, indexesOf, fungibleTokens);
}

/** Returns why a spending limit refuses the request, as a failed check; null when it fits. */
export async function overLimit(
	deps: MigrationDependencies,
	person: string,
	request: MigrationRequest
): Promise<Check | null> {
	const { rights } = deps;
	const amount = request.tokenid === null ? request.amount + IMPORT_FEE : 0n;
	const usage = { kind: 'migration', amount } as const;
	const no = await rights.limitRefusal(person, request.source, [usage], 'migration');
	return no === null
		? null
		: {
				...refusal({ code: 'limit.exceeded', params: { error: recordedError(no) } }, 'limit'),
				field: 'amount'
			};
}

/** Returns the failed check of a draft whose outputs are locked by another one. */
export function lockedBy(error: AppError<'utxos.locked'>): Check {
	return {
		...refusal({ code: 'utxos.locked', params: {} }, 'locked-utxos'),
		remedy: { code: 'locked-by', href: pageOfHolder(error.params.holder) }
	};
}

/** Refuses to end or publish a migration that belongs to another member. @throws {AppError} `work.denied` */
export async function refuseEnding(
	deps: MigrationDependencies,
	row: MigrationRow,
	actor: string,
	act: string
): Promise<void> {
	const { rights } = deps;
	const { id, created_by: by, source_daemon: daemon } = row;
	const no = await rights.endRefusal(actor, { kind: 'migration', id, by, daemon }, act);
	if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'not-changed' });
}
