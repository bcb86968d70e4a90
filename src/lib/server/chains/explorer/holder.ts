import { isValidAddress } from '#lib/chain/address.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { pubkeyFaults, type HolderAddress } from '#lib/messages/pages/holder.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { PageClient } from './pageClient.ts';

/** What a key holds of a token, and the addresses that belong to the key. Balances of coins are satoshi. */
interface Holder {
	pubkey: string;
	/** Token units. */
	balance: bigint;
	facts: { kind: HolderAddress; address: string; coins: bigint }[];
}

/**
 * What is wrong with a text as a pubkey, as a sentence; undefined for a good one. The daemon accepts
 * anything and then looks at an address that is nobody's, so it is checked here.
 */
export function pubkeyFault(text: string): string | undefined {
	if (isValidAddress(text)) return pubkeyFaults.address;
	if (!/^[0-9a-fA-F]*$/.test(text)) return pubkeyFaults.notHex;
	if (text.length !== 66) return pubkeyFaults.length(text.length);
	if (!/^0[23]/.test(text)) return pubkeyFaults.prefix;
	return isValidPubkey(text) ? undefined : pubkeyFaults.notOnCurve;
}

type AddressFact = Pick<Holder['facts'][number], 'address' | 'coins'>;
/** All that `tokenaddress` may tell; on KMD there are no addresses of conditions. */
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
		// Daemon 0.9.0 looks for this sum among ordinary outputs, where tokens never are: it is asked for again.
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

/** What lies in tokens at an address; the figure of `tokenaddress` where no index of addresses tells. */
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
	const facts: Holder['facts'] = [];
	for (const { kind, members } of FACTS) {
		const fact = of(...members);
		if (fact === null) continue;
		const coins = kind === 'key-tokens' ? await heldAt(client, chain, fact) : fact.coins;
		facts.push({ kind, address: fact.address, coins });
	}
	return { pubkey, balance: balance.balance, facts };
}
