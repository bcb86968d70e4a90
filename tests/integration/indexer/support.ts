import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { serializeBlock } from '#lib/chain/block.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { IndexTrx } from '#lib/server/chains/indexer/bulk.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { hashBlock, type RawBlock } from '#lib/server/chains/indexer/decode.ts';
import { indexLeases } from '#lib/server/chains/indexer/indexer.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { createSource, type ChainSource } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { INDEX_LEASE } from '#lib/server/chains/indexer/tables.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { Lease, RowLeases } from '#lib/server/platform/jobs/rows.ts';
import { LEASE_MS } from '#lib/server/platform/jobs/runner.ts';
import type { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import { BOB, MINER, NOTARIES } from '../../../src/devnet/ledger/testkit/keys.ts';
import {
	approve,
	blockProof,
	coinBurn,
	importOf,
	type Network
} from '../../../src/devnet/ledger/testkit/network.ts';

/** Tables of the index with their sort order, so that two indexes can be compared. */
const TABLES: Readonly<Record<string, string>> = {
	ix_blocks: 'chain, height',
	ix_txs: 'chain, seq',
	ix_outputs: 'chain, seq, n',
	ix_inputs: 'chain, seq, n',
	ix_addresses: 'chain, address',
	ix_address_txs: 'chain, address, seq',
	ix_tokens: 'chain, seq',
	ix_token_moves: 'chain, token, seq, n',
	ix_holders: 'chain, token, holder',
	ix_notarizations: 'chain, seq',
	ix_burns: 'chain, seq',
	ix_imports: 'chain, seq',
	ix_flows: 'source, target, ccid',
	ix_name_words: 'word, chain, seq',
	ix_name_typos: 'key, word',
	ix_name_looks: 'chain, look, seq'
};

const plain = (value: unknown): unknown =>
	value instanceof Uint8Array
		? Buffer.from(value).toString('hex')
		: typeof value === 'bigint'
			? value.toString()
			: value;

/** The whole index of the chains, as text by table. */
export async function dump(index: Index): Promise<Record<string, string[]>> {
	const tables: Record<string, string[]> = {};
	for (const [table, order] of Object.entries(TABLES)) {
		const { rows } = await sql
			.raw<Record<string, unknown>>(`select * from ${table} order by ${order}`)
			.execute(index);
		tables[table] = rows.map((row) =>
			Object.entries(row)
				.map(([name, value]) => `${name}=${String(plain(value))}`)
				.sort()
				.join(' ')
		);
	}
	const chains = await index
		.selectFrom('ix_chains')
		.select(['name', 'genesis', 'height', 'hash', 'tokens'])
		.orderBy('id')
		.execute();
	tables['ix_chains'] = chains.map((row) => Object.values(row).map(plain).join(' '));
	return tables;
}

/** Empties every table of the index. */
export async function clear(index: Index): Promise<void> {
	for (const table of [...Object.keys(TABLES), 'ix_chains']) {
		await sql.raw(`delete from ${table}`).execute(index);
	}
}

/** A source that reads a ledger of this process: the same bytes as its daemon would send. */
export function ledgerSource(ledger: Ledger): ChainSource {
	return {
		tip: () => Promise.resolve(ledger.tip.hash),
		height: () => Promise.resolve(ledger.height),
		ccid: () => Promise.resolve(null),
		confirm: () => Promise.resolve(),
		hashAt: (height) => Promise.resolve(ledger.blockAt(height)?.hash ?? null),
		blocks(from, count) {
			const blocks: RawBlock[] = [];
			for (let height = from; height < from + count; height++) {
				const block = ledger.blockAt(height);
				if (block) blocks.push(hashBlock(serializeBlock(block), null));
			}
			return Promise.resolve(blocks);
		},
		signers: () => Promise.resolve(new Map()),
		verboseBlock: () => Promise.reject(new Error('Every block of a ledger can be read.')),
		notarized(candidates) {
			const heights = [...new Set(candidates.map(({ height }) => height))];
			const records = heights.flatMap((height) => ledger.notarizationsAt(height));
			return Promise.resolve(new Map(records.map(({ txid, notaries }) => [txid, notaries])));
		}
	};
}

/**
 * A burn on ALPHA, approved and imported on BETA: the rows of both chains refer to each other. Returns the txid of the
 * import.
 * @param named the chain that the burn claims to be on
 */
export function migrate(
	{ alpha, beta }: Network,
	amount: bigint,
	named: string | Uint8Array
): string {
	const burn = coinBurn(alpha, MINER, BOB, amount, { symbol: 'BETA', ccid: 777, named });
	const burnTxid = alpha.submit(burn.burnTx);
	alpha.mine();
	const proof = blockProof(alpha, burnTxid);
	const txids = NOTARIES.slice(0, 5).map((notary) => approve(beta, notary, proof));
	beta.mine();
	const imported = beta.submit(importOf(burn, { kind: 'approvals', txids }));
	beta.mine();
	return imported;
}

/** The lease for writing the index, held by a test. */
export class TestLease {
	readonly #leases: RowLeases;
	#held: Lease = { id: INDEX_LEASE, fencingToken: 0n };

	constructor(index: Index, clock: () => number = Date.now) {
		this.#leases = indexLeases(index, clock);
	}

	async take(): Promise<boolean> {
		const taken = await this.#leases.take(INDEX_LEASE, LEASE_MS);
		this.#held = taken ?? this.#held;
		return taken !== null;
	}

	async renew({ trx }: IndexTrx): Promise<void> {
		if (!(await this.#leases.renew(this.#held, LEASE_MS, trx))) {
			throw new AppError('lease.lost', { id: this.#held.id });
		}
	}

	release(): Promise<void> {
		return this.#leases.release(this.#held);
	}
}

/** Frees the lease of the index, as if it had expired. */
export async function freeLease(index: Index): Promise<void> {
	await index.updateTable('ix_lease').set({ lease_until: null }).execute();
}

const LEASE = { renew: () => Promise.resolve() };

/** Creates a follower for each ledger, in their order. */
export async function follow(index: Index, ledgers: readonly Ledger[]): Promise<ChainSync[]> {
	const syncs: ChainSync[] = [];
	for (const ledger of ledgers) {
		const chain = await ensureChain(index, ledger.symbol, 0);
		syncs.push(new ChainSync(chain, { index, source: ledgerSource(ledger), lease: LEASE }));
	}
	return syncs;
}

/** The index that results from only the current state of the ledgers. */
export async function freshDump(ledgers: readonly Ledger[]): Promise<Record<string, string[]>> {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-fresh-'));
	const index = await openIndex({ dataDir });
	try {
		for (const sync of await follow(index, ledgers)) await sync.catchUp();
		return await dump(index);
	} finally {
		await index.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
}

/** Brings the index of a chain to the tip of its daemon, initially from the first block. */
export async function followDaemon(index: Index, gateway: Gateway, chain: string): Promise<void> {
	const position = await ensureChain(index, chain, 0);
	const source = createSource(gateway, chain);
	await new ChainSync(position, { index, lease: LEASE, source }).catchUp();
}

/** Has the indexer note that it cannot read the chain now, until it is followed again. */
export async function pauseWithProblem(
	index: Index,
	gateway: Gateway,
	chain: string
): Promise<void> {
	const position = await ensureChain(index, chain, 0);
	const sync = new ChainSync(position, {
		index,
		lease: LEASE,
		source: createSource(gateway, chain)
	});
	await sync.noteProblem(new AppError('indexer.no-daemon', { chain }).coded);
}
