import { isValidPubkey } from '#lib/chain/key.ts';
import { isValidAddress } from '#lib/chain/address.ts';
import type { Ask } from './ask.ts';
import { unasked } from './problem.ts';

/** What a key holds of a token, and the addresses that belong to the key. Balances of coins are satoshi. */
export interface Holder {
	pubkey: string;
	/** Token units. */
	balance: bigint;
	facts: { label: string; hint: string; address: string; coins: bigint }[];
}

/**
 * What is wrong with a text as a pubkey, as a sentence; undefined for a good one. The daemon accepts
 * anything and then looks at an address that is nobody's, so it is checked here.
 */
export function pubkeyFault(text: string): string | undefined {
	if (isValidAddress(text))
		return 'This is an address. A pubkey is needed: 66 hex digits that begin with 02 or 03.';
	if (!/^[0-9a-fA-F]*$/.test(text)) return 'A pubkey has hex digits only: 0 to 9 and a to f.';
	if (text.length !== 66) return `A pubkey has 66 hex digits; this has ${text.length}.`;
	if (!/^0[23]/.test(text)) return 'A compressed pubkey begins with 02 or 03.';
	if (!isValidPubkey(text))
		return 'No key has this form: it is not a point on the curve. A digit may be wrong.';
	return undefined;
}

/**
 * Reads the balance and the ten address facts of a key.
 * @param pubkey a key that `pubkeyFault` finds nothing wrong with
 * @throws {UpstreamError}
 */
export async function readHolder(
	ask: Ask,
	chain: string,
	tokenid: string,
	pubkey: string
): Promise<Holder> {
	const [balance, addresses] = await Promise.all([
		ask.call(chain, 'tokenbalance', [tokenid, pubkey]),
		ask.call(chain, 'tokenaddress', [pubkey])
	]);
	if (!('PubkeyCCaddress(Tokens)' in addresses)) throw unasked(chain, 'tokenaddress');
	return {
		pubkey,
		balance: balance.balance,
		facts: [
			{
				label: 'Token address of this key',
				// Daemon 0.9.0 looks for this sum among ordinary outputs, where tokens never are.
				hint: 'Where its tokens lie, of all kinds together. The daemon counts ordinary coins there.',
				address: addresses['PubkeyCCaddress(Tokens)'],
				coins: addresses['PubkeyCCbalance(Tokens)']
			},
			{
				label: 'Token address of the wallet',
				hint: 'The same for the key of this daemon.',
				address: addresses['myCCAddress(Tokens)'],
				coins: addresses['myCCbalance(Tokens)']
			},
			{
				label: 'Coin address of the wallet',
				hint: 'Ordinary coins of the key of this daemon.',
				address: addresses.myaddress,
				coins: addresses.mybalance
			},
			{
				label: 'Marker address of all tokens',
				hint: 'One marker of 0.0001 for each token that was created.',
				address: addresses.TokensCCAddress,
				coins: addresses.TokensCCBalance
			},
			{
				label: 'Coin address of the token module',
				hint: 'Used by an older form of tokens.',
				address: addresses.TokensNormalAddress,
				coins: addresses.TokensNormalBalance
			}
		]
	};
}
