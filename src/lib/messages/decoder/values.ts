/** Values of the parts of decoded bytes. */
import { BLOB } from '#lib/chain/token.ts';
import { EVAL } from '#lib/chain/cryptocondition.ts';
import type { Held, PartValue } from '#lib/chain/explain/value.ts';
import { amountText } from '#lib/text/amounts.ts';
import { plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { labelInSentence } from './labels.ts';

const MODULES: ReadonlyMap<number, string> = new Map([
	[EVAL.importPayout, 'import payout'],
	[EVAL.importCoin, 'import'],
	[EVAL.assets, 'assets'],
	[EVAL.faucet, 'faucet'],
	[EVAL.rewards, 'rewards'],
	[EVAL.dice, 'dice'],
	[EVAL.fsm, 'fsm'],
	[EVAL.auction, 'auction'],
	[EVAL.lotto, 'lotto'],
	[EVAL.heir, 'heir'],
	[EVAL.channels, 'channels'],
	[EVAL.oracles, 'oracles'],
	[EVAL.payments, 'payments'],
	[EVAL.gateways, 'gateways'],
	[EVAL.tokens, 'tokens'],
	[EVAL.importGateway, 'import gateway']
]);

const BLOBS: ReadonlyMap<number, string> = new Map([
	[BLOB.nonFungible, 'non-fungible data'],
	[0x12, 'assets'],
	[0x13, 'gateways'],
	[0x14, 'channels'],
	[0x15, 'heir'],
	[0x16, 'rogue'],
	[BLOB.burn, 'burn'],
	[BLOB.import, 'import']
]);

/** Returns the name of a contract module by its eval code: `tokens (f2)`. */
export function moduleName(code: number): string {
	const hex = code.toString(16).padStart(2, '0');
	const name = MODULES.get(code);
	return name ? `${name} (${hex})` : `eval code ${hex}`;
}

/** @param ticker ticker of the chain; null when only the bytes are known */
const coinsText = (coins: bigint, ticker: string | null): string =>
	`${amountText(coins)} ${ticker ?? 'coins'}`;

const heldText = (held: Held, ticker: string | null): string =>
	'units' in held ? plural(held.units, 'base unit') : coinsText(held.coins, ticker);

/** @param ticker ticker of the chain; null when only the bytes are known */
export function valueMessage(value: PartValue, ticker: string | null): string {
	if (typeof value === 'string') return visibleText(value, { lines: true });
	switch (value.code) {
		case 'coins':
			return coinsText(value.coins, ticker);
		case 'bytes':
			return plural(value.bytes, 'byte');
		case 'module':
			return moduleName(value.eval);
		case 'blob':
			return BLOBS.get(value.id) ?? `unknown (${value.id.toString(16)})`;
		case 'payload':
			return labelInSentence(value.of);
		case 'paid': {
			const amount = heldText(value.held, ticker);
			return value.address === null ? amount : `${amount} to ${value.address}`;
		}
		case 'data':
			return value.held === null ? 'data' : `data, with ${heldText(value.held, ticker)}`;
		case 'import':
			return 'import of a burn';
		case 'coinbase':
		case 'create':
		case 'transfer':
		case 'self-import':
			return value.code;
	}
}
