/** The burns that a wallet knows, with the status of each. */
import { IMPORT_FEE, SELF_IMPORT_CCID } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { MissingImport } from '#lib/text/shownTransfer.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { heightOfSeq } from '../../chains/indexer/tables.ts';
import { chainIdOf } from '../../chains/lists/chains.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import type { Database } from '../../platform/database/database.ts';
import type { MigrationState } from '../migration/states.ts';
import type { CrossChainTables } from '../tables.ts';
import { missingImports } from './missingImports.ts';

/**
 * Status of a burn:
 * - `waiting`: in the mempool
 * - `lost`: neither in a block nor in the mempool; only the wallet remembers it
 * - `imported`: its import is in a block of the destination
 * - `unknown`: the daemon does not report the destination, or whether the burn is in the mempool
 */
type BurnStatus = 'waiting' | 'lost' | 'imported' | MissingImport | 'unknown';

export interface WalletBurn {
	txid: string;
	/** Satoshi as the daemon reports them, including the import fee; null for tokens and unreadable burns. */
	burned: bigint | null;
	/** Satoshi that arrive; null for tokens. */
	arrives: bigint | null;
	/** The token and its units; null for coins. */
	token: { tokenid: string; units: bigint } | null;
	/** Null when the daemon does not report it in a form that can be read; likewise the CCid. */
	target: string | null;
	targetCcid: number | null;
	/** Whether it is known to be the object of a self-import, which no other chain redeems. */
	selfImport: boolean;
	status: BurnStatus;
	import: { chain: string; txid: string; height: number } | null;
	/** The migration here that tracks it. */
	migration: { id: string; state: MigrationState } | null;
}

type Told = DaemonResult<'getwalletburntransactions'>[number];

/** Newest burns unknown to the index that the daemon is asked about. */
const MOST_ASKED = 20;
const AT_A_TIME = 4;

/** Returns the imports of burns of one chain by txid; null for a burn without one. Unindexed burns are missing. */
async function indexed(index: Index, chain: string, txids: readonly string[]) {
	const id = await chainIdOf(index, chain);
	const known = new Map<string, WalletBurn['import']>();
	if (id === null || txids.length === 0) return known;
	const rows = await index
		.selectFrom('ix_burns as b')
		.leftJoin('ix_imports as i', (join) =>
			join.onRef('i.chain', '=', 'b.import_chain').onRef('i.seq', '=', 'b.import_seq')
		)
		.leftJoin('ix_chains as d', 'd.id', 'b.import_chain')
		.select(['b.txid', 'b.import_seq', 'i.txid as import_txid', 'd.name as import_chain'])
		.where('b.chain', '=', id)
		.where(
			'b.txid',
			'in',
			txids.map((txid) => Buffer.from(txid, 'hex'))
		)
		.execute();
	for (const { txid, import_seq, import_txid, import_chain } of rows) {
		known.set(
			bytesToHex(txid),
			import_seq === null || import_txid === null || import_chain === null
				? null
				: { chain: import_chain, txid: bytesToHex(import_txid), height: heightOfSeq(import_seq) }
		);
	}
	return known;
}

async function migrationsOf(
	db: Database<CrossChainTables>,
	chain: string,
	txids: readonly string[]
) {
	if (txids.length === 0) return new Map<string | null, WalletBurn['migration']>();
	const rows = await db
		.selectFrom('migrations')
		.select(['id', 'state', 'burn_txid'])
		.where('burn_txid', 'in', [...txids])
		.where('source', '=', chain)
		.execute();
	return new Map(rows.map(({ id, state, burn_txid }) => [burn_txid, { id, state }]));
}

function valueOf(told: Told): Pick<WalletBurn, 'burned' | 'arrives' | 'token'> {
	if (!('burnedAmount' in told)) return { burned: null, arrives: null, token: null };
	const [burnedAmount, tokenid] = [reported(told, 'burnedAmount'), reported(told, 'tokenid')];
	if (burnedAmount === null || tokenid === null)
		return { burned: null, arrives: null, token: null };
	// Komodo daemon 0.9.0: for a token these are the units, formatted as coins.
	if (tokenid !== undefined) {
		return { burned: null, arrives: null, token: { tokenid, units: burnedAmount } };
	}
	const arrives = burnedAmount - IMPORT_FEE;
	return { burned: burnedAmount, arrives: arrives > 0n ? arrives : 0n, token: null };
}

interface Sources {
	index: Index;
	db: Database<CrossChainTables>;
	/** Names of the configured chains. */
	chains: readonly string[];
	/** Whether a transaction is neither in a block nor in the mempool, by the wallet's daemon. */
	isLost: (txid: string) => Promise<boolean>;
}

/**
 * Combines the daemon's list with the index and the migrations here. Newest first.
 * @param told the answer of `getwalletburntransactions`, oldest first
 */
export async function walletBurns(
	{ index, db, chains, isLost }: Sources,
	chain: string,
	told: readonly Told[]
): Promise<WalletBurn[]> {
	const txids = told.map(({ txid }) => txid);
	const named = told.map((one) => reported(one, 'targetSymbol'));
	const targets = named.filter((target) => target !== null);
	const [known, ours, missing] = await Promise.all([
		indexed(index, chain, txids),
		migrationsOf(db, chain, txids),
		missingImports(index, chains, targets)
	]);
	const nowhere = told
		.filter((one) => reported(one, 'inMempool') === undefined && !known.has(one.txid))
		.slice(-MOST_ASKED);
	const lost = new Set<string>();
	await someAtATime(nowhere, AT_A_TIME, async ({ txid }) => {
		if (await isLost(txid)) lost.add(txid);
	});
	return told
		.map((one): WalletBurn => {
			const { txid } = one;
			const target = reported(one, 'targetSymbol');
			const targetCcid = reported(one, 'targetCCid');
			const inMempool = reported(one, 'inMempool');
			const imported = known.get(txid);
			const statusOf = (): BurnStatus => {
				if (imported) return 'imported';
				if (inMempool === 'yes') return 'waiting';
				if (lost.has(txid)) return 'lost';
				if (target === null || (inMempool === null && imported === undefined)) return 'unknown';
				return missing(target, imported === null);
			};
			return {
				txid,
				...valueOf(one),
				target,
				targetCcid,
				selfImport: targetCcid === SELF_IMPORT_CCID,
				status: statusOf(),
				import: imported ?? null,
				migration: ours.get(txid) ?? null
			};
		})
		.reverse();
}
