import type { LegacyMethod } from '../context.ts';
import { versionOf } from '../rules.ts';
import { legacyTxHistory } from '../txHistory.ts';
import { electrum, enable } from './activations.ts';
import { convertAddress, showPrivKey, validateAddress } from './addresses.ts';
import { disable, enabledCoins, myBalance } from './coins.ts';
import { requireConfirmations, requireNotarization } from './swapSettings.ts';

const version: LegacyMethod = ({ rules }) => ({
	result: versionOf(rules),
	// A node of the interface document has no build date.
	...(rules.seedForms ? {} : { datetime: '2025-09-19T08:42:42.719348125+00:00' })
});

const stop: LegacyMethod = (context) => {
	context.stop();
	return { result: 'success' };
};

/** Served legacy methods by name. */
export const legacyMethods: ReadonlyMap<string, LegacyMethod> = new Map([
	['version', version],
	['metrics', () => ({ metrics: [] })],
	['stop', stop],
	['electrum', electrum],
	['enable', enable],
	['disable_coin', disable],
	['set_required_confirmations', requireConfirmations],
	['set_requires_notarization', requireNotarization],
	['get_enabled_coins', enabledCoins],
	['my_balance', myBalance],
	['my_tx_history', legacyTxHistory],
	['validateaddress', validateAddress],
	['convertaddress', convertAddress],
	['show_priv_key', showPrivKey]
]);

/** Methods that need no password, some of them without a handler. */
export const PUBLIC_METHODS: ReadonlySet<string> = new Set([
	'version',
	'help',
	'metrics',
	'orderbook',
	'stats_swap_status',
	'fundvalue',
	'getprice',
	'getpeers',
	'getcoins',
	'notify',
	'passphrase',
	'pricearray',
	'psock',
	'statsdisp',
	'tradesarray',
	'ticker'
]);
