import { daemonSpelling, descending, type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { dustLimitOf } from '#lib/chain/dust.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import { unspentOf } from '../../../chains/daemon/unspent.ts';
import type { MigrationRequest } from '../request.ts';
import type { Checks } from './checks.ts';

/** Komodo daemon 0.9.0 uses at most this many outputs for a burn. */
const MOST_INPUTS = 10n;

/** Bytes of the script that pays to an address. */
const ADDRESS_SCRIPT_BYTES = 25;

/** Returns the smallest payment to an address that the destination relays, in satoshi. */
export const dustLimit = (relayFee: Satoshi): Satoshi =>
	dustLimitOf(ADDRESS_SCRIPT_BYTES, relayFee);

/** Checks that the amount exceeds the dust limit and can be passed to the daemon exactly. */
export function checkAmount(checks: Checks, request: MigrationRequest, relayFee: Satoshi): void {
	const least = dustLimit(relayFee);
	// Only a warning: no method reports the relay policy, and a test network may have a lower limit.
	if (request.amount < least) {
		checks.add(
			'warn',
			'dust',
			{ code: 'amount.dust', params: { chain: request.destination, least: least.toString() } },
			'amount'
		);
	}
	try {
		daemonSpelling(request.amount);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		checks.add('fail', 'amount', { code: 'amount.not-exact', params: {} }, 'amount');
	}
}

/**
 * Determines whether the wallet can pay with ten outputs. (Komodo daemon 0.9.0 only uses outputs worth at least a
 * tenth of the total, so many small ones do not help.)
 */
function reach(outputs: readonly Satoshi[], total: Satoshi): 'enough' | 'merge' | 'poor' {
	const balance = sumOf(outputs);
	if (balance < total) return 'poor';
	const best = outputs
		.filter((value) => value >= total / MOST_INPUTS)
		.sort(descending)
		.slice(0, Number(MOST_INPUTS));
	return sumOf(best) >= total ? 'enough' : 'merge';
}

/** Checks that the wallet holds enough spendable outputs for the burn and the import fee. */
export async function checkFunds(
	checks: Checks,
	source: DaemonClient,
	request: MigrationRequest
): Promise<void> {
	const { outputs: unspent, isPart } = await unspentOf(source.call, 0);
	const outputs = unspent.filter(({ spendable }) => spendable).map(({ amount }) => amount);
	const total = request.amount + IMPORT_FEE;
	const needed = total.toString();
	const verdict = reach(outputs, total);
	if (verdict === 'poor' && !isPart) {
		const has = sumOf(outputs);
		checks.add(
			'fail',
			'funds',
			{ code: 'funds.short', params: { chain: request.source, balance: has.toString(), needed } },
			'amount'
		);
	} else if (verdict !== 'enough') {
		// The unread outputs of a wallet with too many may be sufficient.
		const code = verdict === 'poor' ? 'funds.not-all-read' : 'funds.too-many-outputs';
		checks.add('fail', 'funds', { code, params: {} }, 'amount');
		const href = `/chains/${encodeURIComponent(request.source)}/consolidate`;
		checks.remedy({ code: 'consolidate', href });
	} else {
		checks.add('ok', 'funds', { code: 'funds.enough', params: { needed, ticker: request.source } });
	}
}
