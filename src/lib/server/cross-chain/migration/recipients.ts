/**
 * Candidates for the recipient of a burn that was made elsewhere: the burn only contains a hash of its payouts, so
 * known recipients are tried. Candidates are not shown unless the burn pays them.
 */
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { isPubkeyText } from '#lib/chain/idText.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { unspentOf } from '../../chains/daemon/unspent.ts';
import type { DaemonClient, Gateway } from '../../chains/daemon/types.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CrossChainTables } from '../tables.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Newest entries of a wallet's history that are read. */
const NEWEST = 1_000;

/** Returns the addresses at which a wallet has been paid; empty when its daemon does not answer. */
async function addressesOf(client: DaemonClient): Promise<string[]> {
	const read = async (work: () => Promise<readonly object[]>) => {
		try {
			return (await work()).flatMap((one) =>
				'address' in one && typeof one.address === 'string' ? one.address : []
			);
		} catch (error) {
			if (isAppError(error, 'daemon')) return [];
			throw error;
		}
	};
	return [
		...(await read(async () => (await unspentOf(client.call, 0)).outputs)),
		...(await read(() => client.call('listtransactions', '*', NEWEST)))
	];
}

interface Known {
	addresses: string[];
	/** Compressed public keys. */
	keys: string[];
}

/**
 * Collects recipients from the wallets of destination and source, the address book, and earlier migrations.
 * @param chains the destination first
 */
export async function knownRecipients(
	db: Database<CrossChainTables>,
	gateway: Gateway,
	chains: readonly string[],
	earlier: readonly string[]
): Promise<Known> {
	const daemons = gateway.daemons();
	const wallets = chains.flatMap((chain) =>
		daemons.filter((one) => one.chain === chain && one.purposes.includes('wallet'))
	);
	const paid: string[] = [];
	for (const { id } of wallets) paid.push(...(await addressesOf(daemonClientOf(gateway, id))));
	const book = await db.selectFrom('label_keys').select('key').execute();
	const texts = [...earlier, ...book.map(({ key }) => key)];
	const keys = [...daemons.flatMap(({ pubkey }) => pubkey ?? []), ...texts.filter(isPubkeyText)];
	return {
		addresses: [
			...new Set([
				...paid,
				...keys.map((key) => addressOfPubkey(hexToBytes(key))),
				...texts.filter(isValidAddress)
			])
		],
		keys: [...new Set(keys)]
	};
}
