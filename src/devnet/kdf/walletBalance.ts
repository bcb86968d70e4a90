import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { balancesJson, type ActiveCoin, type Balance, type HdAddress } from './coins.ts';

/** Adds two decimal texts exactly. */
function sum(a: string, b: string): string {
	const decimals = Math.max(...[a, b].map((text) => (text.split('.')[1] ?? '').length));
	const units = (text: string): bigint => {
		const [whole = '0', rest = ''] = text.split('.');
		return BigInt(whole + rest.padEnd(decimals, '0'));
	};
	const digits = (units(a) + units(b)).toString().padStart(decimals + 1, '0');
	if (decimals === 0) return digits;
	const rest = digits.slice(-decimals).replace(/0+$/, '');
	return `${digits.slice(0, -decimals)}${rest === '' ? '' : `.${rest}`}`;
}

/** Returns the total balance of addresses by ticker. */
export function totalOf(addresses: readonly HdAddress[]): { [ticker: string]: Balance } {
	const total: { [ticker: string]: Balance } = {};
	for (const { balance } of addresses) {
		for (const [ticker, { spendable, unspendable }] of Object.entries(balance)) {
			const known = total[ticker] ?? { spendable: '0', unspendable: '0' };
			total[ticker] = {
				spendable: sum(known.spendable, spendable),
				unspendable: sum(known.unspendable, unspendable)
			};
		}
	}
	return total;
}

export const hdAddressJson = (address: HdAddress): JsonValue => ({
	address: address.address,
	derivation_path: address.derivation_path,
	chain: address.chain,
	balance: balancesJson(address.balance)
});

/** Formats one account of an HD wallet. */
export async function accountJson(
	coin: ActiveCoin,
	account: number,
	withBalances = true
): Promise<JsonValue> {
	const hd = coin.hd!;
	const addresses: HdAddress[] = [];
	for (let index = 0; index < (hd.known.get(account) ?? 0); index++) {
		addresses.push(await hd.addressAt(account, 'External', index));
	}
	return {
		account_index: int(account),
		derivation_path: `${hd.coinPath}/${account}'`,
		...(withBalances ? { total_balance: balancesJson(totalOf(addresses)) } : {}),
		addresses: addresses.map((address) =>
			withBalances
				? hdAddressJson(address)
				: {
						address: address.address,
						derivation_path: address.derivation_path,
						chain: address.chain
					}
		)
	};
}

/** Formats the balance of a coin as activations return it. */
export async function walletBalanceJson(coin: ActiveCoin, withBalances = true): Promise<JsonValue> {
	if (coin.hd) {
		const accounts = [...coin.hd.known.keys()].sort((a, b) => a - b);
		return {
			wallet_type: 'HD',
			accounts: await Promise.all(
				accounts.map((account) => accountJson(coin, account, withBalances))
			)
		};
	}
	const balance = await coin.balanceOf(coin.key()!);
	return {
		wallet_type: 'Iguana',
		address: coin.address!,
		balance: balancesJson({ [coin.ticker]: balance })
	};
}
