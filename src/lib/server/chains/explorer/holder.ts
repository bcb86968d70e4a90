import { isValidAddress } from '#lib/chain/address.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { PageClient } from './pageClient.ts';

/** What a key holds of a token, and the addresses that belong to the key. Balances of coins are satoshi. */
interface Holder {
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

type AddressFact = Pick<Holder['facts'][number], 'address' | 'coins'>;
/** All that `tokenaddress` may tell; on KMD there are no addresses of conditions. */
type Addresses = Extract<
	DaemonResult<'tokenaddress'>,
	{ 'PubkeyCCaddress(Tokens)': string; 'myCCAddress(Tokens)': string }
>;

const FACTS: readonly {
	label: string;
	hint: string;
	members: readonly [address: keyof Addresses, coins: keyof Addresses];
}[] = [
	{
		label: 'Token address of this key',
		// Daemon 0.9.0 looks for this sum among ordinary outputs, where tokens never are.
		hint: 'Where its tokens lie, of all kinds together. The daemon counts ordinary coins there.',
		members: ['PubkeyCCaddress(Tokens)', 'PubkeyCCbalance(Tokens)']
	},
	{
		label: 'Token address of the wallet',
		hint: 'The same for the key of this daemon.',
		members: ['myCCAddress(Tokens)', 'myCCbalance(Tokens)']
	},
	{
		label: 'Coin address of the wallet',
		hint: 'Ordinary coins of the key of this daemon.',
		members: ['myaddress', 'mybalance']
	},
	{
		label: 'Marker address of all tokens',
		hint: 'One marker of 0.0001 for each token that was created.',
		members: ['TokensCCAddress', 'TokensCCBalance']
	},
	{
		label: 'Coin address of the token module',
		hint: 'Used by an older form of tokens.',
		members: ['TokensNormalAddress', 'TokensNormalBalance']
	}
];

/**
 * Reads the balance and the address facts of a key.
 * @param pubkey a key that `pubkeyFault` finds nothing wrong with
 * @throws {AppError} `daemon`
 */
export async function readHolder(
	client: PageClient,
	chain: string,
	tokenid: string,
	pubkey: string
): Promise<Holder> {
	const [balance, addresses] = await Promise.all([
		client.call(chain, 'tokenbalance', [tokenid, pubkey]),
		client.call(chain, 'tokenaddress', [pubkey])
	]);
	const of = (address: keyof Addresses, coins: keyof Addresses): AddressFact | null => {
		const { [address]: found, [coins]: sum } = addresses as Partial<Addresses>;
		return typeof found === 'string' && typeof sum === 'bigint'
			? { address: found, coins: sum }
			: null;
	};
	return {
		pubkey,
		balance: balance.balance,
		facts: FACTS.flatMap(({ members: [address, coins], ...words }) => {
			const fact = of(address, coins);
			return fact === null ? [] : [{ ...words, ...fact }];
		})
	};
}
