import { isValidAddress } from '#lib/chain/address.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { HolderAddress, PubkeyFault } from '#lib/messages/pages/holder.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { PageClient } from './pageClient.ts';

/** A key's balance of a token, and the addresses derived from the key. Balances of coins are satoshi. */
interface Holder {
	pubkey: string;
	/** Token units. */
	balance: bigint;
	facts: { kind: HolderAddress; address: string; coins: bigint }[];
}

/**
 * Returns what is wrong with a text as a pubkey; null when it is valid. Checked here, because the daemon accepts
 * any text and then reports the balance of an address without an owner.
 */
export function pubkeyFault(text: string): PubkeyFault | null {
	if (isValidAddress(text)) return { code: 'address' };
	if (!/^[0-9a-fA-F]*$/.test(text)) return { code: 'notHex' };
	if (text.length !== 66) return { code: 'length', digits: text.length };
	if (!/^0[23]/.test(text)) return { code: 'prefix' };
	return isValidPubkey(text) ? null : { code: 'notOnCurve' };
}

type AddressFact = Pick<Holder['facts'][number], 'address' | 'coins'>;
/** All members of `tokenaddress`; on KMD there are no crypto-condition addresses. */
type Addresses = Extract<
	DaemonResult<'tokenaddress'>,
	{ 'PubkeyCCaddress(Tokens)': string; 'myCCAddress(Tokens)': string }
>;

const FACTS: readonly {
	kind: HolderAddress;
	members: readonly [address: keyof Addresses, coins: keyof Addresses];
}[] = [
	{
		kind: 'key-tokens',
		// Komodo daemon 0.9.0 computes this sum from ordinary outputs, which never hold tokens: it is queried
		// separately.
		members: ['PubkeyCCaddress(Tokens)', 'PubkeyCCbalance(Tokens)']
	},
	{
		kind: 'wallet-tokens',
		members: ['myCCAddress(Tokens)', 'myCCbalance(Tokens)']
	},
	{
		kind: 'wallet-coins',
		members: ['myaddress', 'mybalance']
	},
	{
		kind: 'markers',
		members: ['TokensCCAddress', 'TokensCCBalance']
	},
	{
		kind: 'module-coins',
		members: ['TokensNormalAddress', 'TokensNormalBalance']
	}
];

/** Returns the token balance of an address; without an address index, the amount that `tokenaddress` reports. */
async function heldAt(client: PageClient, chain: string, fact: AddressFact): Promise<bigint> {
	try {
		const found = await client.call(chain, 'getaddressbalance', [{ addresses: [fact.address] }, 1]);
		return found.balance;
	} catch (error) {
		if (!isAppError(error, 'daemon.rpc-error')) throw error;
		return fact.coins;
	}
}

/**
 * Reads the balance and the addresses of a key.
 * @param pubkey a key without a `pubkeyFault`
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
	const facts: Holder['facts'] = [];
	for (const { kind, members } of FACTS) {
		const fact = of(...members);
		if (fact === null) continue;
		const coins = kind === 'key-tokens' ? await heldAt(client, chain, fact) : fact.coins;
		facts.push({ kind, address: fact.address, coins });
	}
	return { pubkey, balance: balance.balance, facts };
}
