/** Checks a token before its burn is built. */
import { readableTransaction } from '#lib/chain/transaction.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import { NO_TOKEN, servesTokens } from '../../chains/daemon/tokenModule.ts';
import { unspentOf } from '../../chains/daemon/unspent.ts';
import { USABLE_NFT_CODES } from '../../wallet/transactions/request.ts';
import type { AddCheck } from './check.ts';
import type { MigrationRequest } from './request.ts';
import { sizeVerdict, tokenSize } from './tokenSize.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** A request for a token. */
export type TokenRequest = MigrationRequest & { tokenid: string };

/** Satoshi of the import fee, which the daemon takes from a single UTXO. */
const NEEDED_COINS = 10_000n;

/**
 * Checks whether the source's daemon can build burns of tokens, which release 0.9.0 cannot. It is asked for the
 * burn of a token that does not exist, which every daemon refuses, with distinctive messages.
 * @throws {AppError} `daemon` when it does not answer
 */
async function checkSupport(
	add: AddCheck,
	source: DaemonClient,
	request: TokenRequest,
	version: number
): Promise<boolean> {
	if (request.destination === 'LABS') {
		add('fail', 'token-support', { code: 'token.labs', params: {} }, 'destination');
		return false;
	}
	try {
		await source.call(
			'migrate_createburntransaction',
			request.destination,
			request.address,
			'1',
			NO_TOKEN
		);
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		if (error.code !== 'daemon.rpc-error') throw error;
		if (refusalCode(error) === 'migration.not-set-up') {
			add(
				'fail',
				'token-support',
				{ code: 'token.not-set-up', params: { chain: request.source } },
				'source'
			);
			return false;
		}
		// Komodo daemon 0.9.0 has this test inverted, and answers so for every chain except LABS.
		if (refusalCode(error) === 'migration.no-token-support') {
			add(
				'fail',
				'token-support',
				{ code: 'token.not-supported', params: { chain: request.source, version } },
				'source'
			);
			return false;
		}
	}
	add('ok', 'token-support', { code: 'token.supported', params: { chain: request.source } });
	return true;
}

/** Returns the message that the wallet holds fewer base units than requested. */
export const balanceShort = (
	{ source: chain, amount }: Pick<MigrationRequest, 'source' | 'amount'>,
	balance: bigint
) =>
	({
		code: 'token.balance-short',
		params: { chain, balance: balance.toString(), amount: amount.toString() }
	}) as const;

/** Returns the facts of a token; null when the daemon answers that there is none. @throws {AppError} `daemon` */
async function infoOf(source: DaemonClient, tokenid: string) {
	try {
		return await source.call('tokeninfo', tokenid);
	} catch (error) {
		if (isAppError(error, 'daemon.in-band-error', 'daemon.rpc-error')) return null;
		throw error;
	}
}

/**
 * Checks the token, the wallet's balance of it, and its size.
 * @param facts.limit `datacarriersize` of the destination; null when not configured
 * @param facts.fungible whether fungible tokens may be migrated from here
 * @throws {AppError} `daemon`
 */
export async function checkToken(
	add: AddCheck,
	{ source, target }: Readonly<Record<'source' | 'target', DaemonClient>>,
	request: TokenRequest,
	{ version, limit, fungible }: { version: number; limit: number | null; fungible: boolean }
): Promise<void> {
	if (!(await checkSupport(add, source, request, version))) return;
	// The arrived token is compared with the burned one, for which the destination's daemon must serve tokens.
	if (!(await servesTokens((tokenid) => target.call('tokeninfo', tokenid)))) {
		add(
			'fail',
			'token-arrival',
			{ code: 'token.not-set-up', params: { chain: request.destination } },
			'destination'
		);
	}
	const info = await infoOf(source, request.tokenid);
	if (info === null) {
		add(
			'fail',
			'token-known',
			{ code: 'token.unknown', params: { chain: request.source } },
			'tokenid'
		);
		return;
	}
	const { balance } = await source.call('tokenbalance', request.tokenid);
	if (balance < request.amount) {
		add('fail', 'token-balance', balanceShort(request, balance), 'amount');
	} else {
		add('ok', 'token-balance', { code: 'token.balance', params: { balance: balance.toString() } });
	}
	if (info.data === undefined) {
		// The interface document allows migration of non-fungible tokens only, and notaries approve no others.
		if (fungible) add('warn', 'token-kind', { code: 'token.fungible', params: {} }, 'tokenid');
		else add('fail', 'token-kind', { code: 'token.fungible-forbidden', params: {} }, 'tokenid');
		if (request.approvals) {
			add('fail', 'token-approvals', { code: 'token.fungible-approvals', params: {} }, 'tokenid');
		}
	} else {
		const code = parseInt(info.data.slice(0, 2), 16);
		if (!USABLE_NFT_CODES.has(code)) {
			add(
				'fail',
				'token-code',
				{ code: 'token.no-module', params: { evalCode: info.data.slice(0, 2) } },
				'tokenid'
			);
		}
		if (request.amount !== 1n) {
			add('fail', 'token-amount', { code: 'token.one-unit', params: {} }, 'amount');
		}
	}
	const hex = await source.call('getrawtransaction', request.tokenid);
	const creation = typeof hex === 'string' ? readableTransaction(hex) : null;
	if (creation === null) {
		add('fail', 'token-size', { code: 'token.creation-unreadable', params: {} }, 'tokenid');
	} else {
		const verdict = sizeVerdict(tokenSize(creation), request.destination, limit);
		if (verdict) add(verdict.result, 'token-size', verdict.message, 'tokenid');
		else add('ok', 'token-size', { code: 'token.fits', params: {} });
	}
	const { outputs: unspent, isPart } = await unspentOf(source.call, 0);
	const pays = unspent.some(({ spendable, amount }) => spendable && amount >= NEEDED_COINS);
	if (!pays && isPart) {
		add('fail', 'funds', { code: 'funds.not-all-read', params: {} }, 'source');
	} else if (!pays) {
		add(
			'fail',
			'funds',
			{ code: 'funds.short-for-token', params: { chain: request.source } },
			'source'
		);
	}
}
