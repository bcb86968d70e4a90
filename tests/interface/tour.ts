/**
 * A tour through the whole daemon interface on a development network: every method, with and without each
 * optional parameter, and the four flows of a migration. It only makes calls; the observations are judged
 * elsewhere.
 */
import type { Dialect } from '#lib/rpc/codec.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import { startDevnet } from '../support/devnet.ts';
import type { KdfSeen } from './kdfJudge.ts';
import { takeKdfTour } from './kdfTour.ts';
import { PROFILES } from './networks.ts';
import { CallRefused, member, observer, type Observation, type Observer } from './observe.ts';

/** Non-fungible data whose evaluation code a module validates. */
const NFT_DATA = 'f10102';
const NOTARIES = [1, 2, 3, 4, 5];
/** Half a satoshi more than intended, because the daemon truncates the parsed double. */
const exact = (coins: string): string => `${coins}5`;

interface Places {
	address: Map<string, string>;
	pubkey: Map<string, string>;
}

async function places({ net }: Observer): Promise<Places> {
	const { daemons } = await net.control.state();
	return {
		address: new Map(daemons.map(({ id, address }) => [id, address])),
		pubkey: new Map(daemons.map(({ id, pubkey }) => [id, pubkey]))
	};
}

const at = (map: Map<string, string>, id: string): string => {
	const found = map.get(id);
	if (found === undefined) throw new Error(`there is no daemon ${id}`);
	return found;
};

/** Sends a transaction and mines it. */
async function mined(tour: Observer, chain: string, hex: string): Promise<string> {
	const txid = await tour.call(chain, 'sendrawtransaction', hex);
	await tour.net.control.mine(chain);
	return txid as string;
}

async function tokens(tour: Observer, { pubkey }: Places): Promise<{ token: string; nft: string }> {
	const create = async (...params: [string, string, string, string?]): Promise<string> =>
		mined(tour, 'ALPHA', member(await tour.call('ALPHA', 'tokencreate', ...params), 'hex'));
	const token = await create('Tour', '0.00010000', 'What a tour sees');
	const nft = await create('Tour piece', exact('0.00000001'), 'One of a kind', NFT_DATA);
	const own = at(pubkey, 'ALPHA');
	await tour.call('ALPHA', 'tokenaddress');
	await tour.call('ALPHA', 'tokenaddress', own);
	await tour.call('ALPHA', 'tokeninfo', token);
	await tour.call('ALPHA', 'tokeninfo', nft);
	await tour.call('ALPHA', 'tokenlist');
	await tour.call('ALPHA', 'tokenbalance', token);
	await tour.call('ALPHA', 'tokenbalance', token, own);
	const moved = await tour.call('ALPHA', 'tokentransfer', token, at(pubkey, 'BETA'), '5');
	await tour.call('ALPHA', 'decoderawtransaction', member(moved, 'hex'));
	await mined(tour, 'ALPHA', member(moved, 'hex'));
	return { token, nft };
}

/** Back-notarization on the source, then the import, its completion by the main chain, and its confirmation. */
async function finish(tour: Observer, burnHex: string, payouts: string): Promise<void> {
	const { control } = tour.net;
	await control.notarize('ALPHA');
	await control.mine('ALPHA');
	const first = member(
		await tour.call('ALPHA', 'migrate_createimporttransaction', burnHex, payouts),
		'ImportTxHex'
	);
	// Before the destination is notarized on the main chain, the call fails with the document's error.
	await refused(tour.call('KMD', 'migrate_completeimporttransaction', first));
	await control.notarize('BETA');
	await control.mine('KMD', 5);
	const whole = member(
		await tour.call('KMD', 'migrate_completeimporttransaction', first),
		'ImportTxHex'
	);
	for (let offset = 0; offset < 12; offset += 1) {
		await refused(tour.call('KMD', 'migrate_completeimporttransaction', first, offset));
	}
	await control.notarize('BETA');
	await control.mine('BETA');
	await mined(tour, 'BETA', whole);
	const tip = await tour.call('BETA', 'getblockcount');
	await tour.call('BETA', 'getimports', stringifyJson(tip));
}

async function refused(call: Promise<unknown>): Promise<void> {
	await call.catch((error: unknown) => {
		if (!(error instanceof CallRefused)) throw error;
	});
}

async function notarizedRoute(
	tour: Observer,
	{ address, pubkey }: Places,
	nft: string
): Promise<void> {
	const coins = await tour.call(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		at(address, 'BETA'),
		'1.25000000'
	);
	const coinBurn = member(coins, 'BurnTxHex');
	const coinTxid = await mined(tour, 'ALPHA', coinBurn);
	await tour.call('ALPHA', 'migrate_checkburntransactionsource', coinTxid);
	await finish(tour, coinBurn, member(coins, 'payouts'));
	const piece = await tour.call(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		at(pubkey, 'BETA'),
		'1',
		nft
	);
	const pieceBurn = member(piece, 'BurnTxHex');
	const pieceTxid = await mined(tour, 'ALPHA', pieceBurn);
	await tour.call('ALPHA', 'migrate_checkburntransactionsource', pieceTxid);
	await finish(tour, pieceBurn, member(piece, 'payouts'));
	for (const tokenid of (await tour.call('BETA', 'tokenlist')) as string[]) {
		await tour.call('BETA', 'tokeninfo', tokenid);
	}
}

async function customBurn(tour: Observer, { address }: Places): Promise<void> {
	const raw = await tour.call('ALPHA', 'createrawtransaction', [], {
		[at(address, 'BETA')]: 2
	} as never);
	const made = await tour.call('ALPHA', 'migrate_converttoexport', raw as string, 'BETA');
	// Change may be placed after the burn, which counts only as the last output; then the owner funds again.
	let funded: string;
	do {
		const answer = await tour.call('ALPHA', 'fundrawtransaction', member(made, 'exportTx'));
		funded = member(answer, 'hex');
	} while (parseBurn(parseTransaction(funded)) === null);
	const signed = await tour.call('ALPHA', 'signrawtransaction', funded);
	const hex = member(signed, 'hex');
	const txid = await tour.call('ALPHA', 'sendrawtransaction', hex, true);
	await tour.net.control.mine('ALPHA');
	await tour.call('ALPHA', 'gettransaction', txid as string);
	await finish(tour, hex, member(made, 'payouts'));
}

async function backupRoute(tour: Observer, { address }: Places): Promise<void> {
	const burn = await tour.call(
		'ALPHA',
		'migrate_createburntransaction',
		'BETA',
		at(address, 'BETA'),
		'1.50000000'
	);
	const hex = member(burn, 'BurnTxHex');
	const txid = await mined(tour, 'ALPHA', hex);
	const check = await tour.call('ALPHA', 'migrate_checkburntransactionsource', txid);
	const approvals: string[] = [];
	for (const n of NOTARIES) {
		const daemon = `BETA-notary-${n}`;
		const approval = await tour.call(
			daemon,
			'migrate_createnotaryapprovaltransaction',
			txid,
			member(check, 'TxOutProof')
		);
		approvals.push(
			(await tour.call(daemon, 'sendrawtransaction', member(approval, 'NotaryTxHex'))) as string
		);
	}
	await tour.net.control.mine('BETA');
	const made = await tour.call(
		'ALPHA',
		'migrate_createimporttransaction',
		hex,
		member(burn, 'payouts'),
		...approvals
	);
	await mined(tour, 'BETA', member(made, 'ImportTxHex'));
}

async function selfImport(tour: Observer, { address }: Places): Promise<void> {
	const made = await tour.call('SELF', 'selfimport', at(address, 'SELF'), '7.50000000');
	await mined(tour, 'SELF', member(made, 'SourceTxHex'));
	await mined(tour, 'SELF', member(made, 'ImportTxHex'));
}

async function queries(tour: Observer): Promise<void> {
	const { net } = tour;
	const { notarization } = await net.control.notarizeKmd('ALPHA');
	if (notarization === null) throw new Error('nothing was notarized');
	const kmdHeight = Number(stringifyJson(await tour.call('KMD', 'getblockcount')));
	const alphaHeight = Number(stringifyJson(await tour.call('ALPHA', 'getblockcount')));
	await tour.call('ALPHA', 'calc_MoM', String(alphaHeight - 2), '5');
	await tour.call('KMD', 'MoMoMdata', 'ALPHA', String(kmdHeight), '777');
	await tour.call('KMD', 'getNotarisationsForBlock', kmdHeight);
	await tour.call('KMD', 'scanNotarisationsDB', String(kmdHeight), 'ALPHA');
	await tour.call('KMD', 'scanNotarisationsDB', String(kmdHeight), 'ALPHA', '1440');
	await tour.call('ALPHA', 'getwalletburntransactions');
	await tour.call('ALPHA', 'getwalletburntransactions', '3');
}

interface Toured {
	daemon: readonly Observation[];
	node: KdfSeen;
}

/** Runs the tours for both interfaces on a network of the profile. */
async function takeTour(profile: (typeof PROFILES)[number]): Promise<Toured> {
	const dialect: Dialect = profile === 'seed' ? 'seed' : 'komodod';
	const net = await startDevnet({ profile });
	try {
		const tour = observer(net, dialect);
		const where = await places(tour);
		const { nft } = await tokens(tour, where);
		await notarizedRoute(tour, where, nft);
		await customBurn(tour, where);
		await backupRoute(tour, where);
		await selfImport(tour, where);
		await queries(tour);
		await tour.shorten();
		const node = await takeKdfTour(net, profile === 'seed' ? 'seed' : 'kdf');
		return { daemon: tour.seen, node };
	} finally {
		await net.stop();
	}
}

/** Runs the tours of both networks in parallel. */
export const takeTours = (): Promise<readonly Toured[]> => Promise.all(PROFILES.map(takeTour));
